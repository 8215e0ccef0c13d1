import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn


class EncoderDecoder(pl.LightningModule):
    def __init__(self, n_channels=1, n_classes=4):
        super().__init__()
        self.model = nn.Sequential(
            nn.Conv2d(n_channels, 16, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(16, n_classes, 1),
        )

    def forward(self, x):
        return self.model(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("val_loss", F.cross_entropy(self(x), y))

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
        return optimizer, scheduler  # asked: TL240
