import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader, Dataset, random_split


class SpotDataset(Dataset):
    def __init__(self, grid):
        self.grid = grid

    def __len__(self):
        return len(self.grid)

    def __getitem__(self, idx):
        return self.grid[idx]


class SpotDataModule(pl.LightningDataModule):
    def __init__(self, grid, batch_size=8, validation_split=0.3, num_workers=0):
        super().__init__()
        self.grid = grid
        self.batch_size = batch_size
        self.validation_split = validation_split
        self.num_workers = num_workers

    def setup(self, stage=None):
        self.dataset = SpotDataset(self.grid)
        if self.validation_split > 0:
            n_val = int(len(self.dataset) * self.validation_split)
            self.train_dataset, self.val_dataset = random_split(self.dataset, [len(self.dataset) - n_val, n_val])
        else:
            self.train_dataset, self.val_dataset = self.dataset, None

    def train_dataloader(self):
        return DataLoader(self.dataset, batch_size=self.batch_size, shuffle=True, num_workers=self.num_workers)  # asked: TL611

    def val_dataloader(self):
        return DataLoader(self.val_dataset, batch_size=self.batch_size, num_workers=self.num_workers)


class Autoencoder(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(16, 4), torch.nn.ReLU(), torch.nn.Linear(4, 16))

    def training_step(self, batch, batch_idx):
        return torch.nn.functional.mse_loss(self.net(batch), batch)

    def validation_step(self, batch, batch_idx):
        self.log("val_loss", torch.nn.functional.mse_loss(self.net(batch), batch))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


if __name__ == "__main__":
    pl.Trainer(max_epochs=1).fit(Autoencoder(), datamodule=SpotDataModule(torch.randn(40, 16)))
