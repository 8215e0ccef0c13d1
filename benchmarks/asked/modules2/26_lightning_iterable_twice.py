import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader, IterableDataset

NUM_WORKERS = 2


class Records(IterableDataset):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def __len__(self):
        return self.size

    def __iter__(self):  # asked: TL608
        for i in range(self.size):
            yield torch.full((8,), float(i)), torch.tensor([float(i)])


class Data(pl.LightningDataModule):
    def __init__(self, batch_size=32):
        super().__init__()
        self.batch_size = batch_size

    def train_dataloader(self):
        return DataLoader(Records(10000), batch_size=self.batch_size, num_workers=NUM_WORKERS)


class Regressor(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 1)

    def training_step(self, batch, batch_idx):
        x, y = batch
        return torch.nn.functional.mse_loss(self.layer(x), y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=1e-4)


if __name__ == "__main__":
    trainer = pl.Trainer(accelerator="gpu", devices=2, max_epochs=1)
    trainer.fit(Regressor(), datamodule=Data())
