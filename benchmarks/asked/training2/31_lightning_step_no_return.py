import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class NuNet(pl.LightningModule):
    def __init__(self, features=6, classes=5, lr=0.001):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(features, 32), nn.Mish(), nn.Dropout(0.2))
        self.decoders = nn.ModuleList([nn.Linear(32, classes), nn.Linear(32, 1)])
        self.lr = lr
        self.max_mem_cpu = 0.0

    def step(self, batch):
        x, semantic, filt = batch
        h = self.encoder(x)
        losses = {
            "semantic": nn.functional.cross_entropy(self.decoders[0](h), semantic),
            "filter": nn.functional.binary_cross_entropy_with_logits(self.decoders[1](h).squeeze(1), filt),
        }
        return sum(losses.values()), losses

    def training_step(self, batch, batch_idx):  # asked: TL240
        loss, metrics = self.step(batch)
        self.log("loss/train", loss, batch_size=len(batch[0]), prog_bar=True)
        self.log_dict(metrics, batch_size=len(batch[0]))

    def validation_step(self, batch, batch_idx):
        loss, _ = self.step(batch)
        self.log("loss/val", loss, batch_size=len(batch[0]))

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.lr)


if __name__ == "__main__":
    data = TensorDataset(torch.randn(64, 6), torch.randint(0, 5, (64,)), torch.rand(64).round())
    trainer = pl.Trainer(max_epochs=1)
    trainer.fit(NuNet(), DataLoader(data, batch_size=8), DataLoader(data, batch_size=8))
