import pytorch_lightning as pl
import torch
import torch.nn.functional as F


class SpeechModule(pl.LightningModule):
    def __init__(self, model, optimizer, loader, val_loader):
        super().__init__()
        self.model = model
        self.optimizer = optimizer
        self.train_loader = loader
        self.val_loader = val_loader
        self.outputs = []

    def forward(self, wav):
        return self.model(wav)

    def training_step(self, batch, batch_nb):
        mix, targets = batch
        loss = F.l1_loss(self(mix), targets)
        self.log("train_loss", loss, on_epoch=True, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_nb):
        mix, targets = batch
        loss = F.l1_loss(self(mix), targets)
        self.outputs.append(loss)
        return loss

    def on_validation_epoch_end(self):
        avg = torch.stack(self.outputs).mean()
        self.logger.experiment.log({"val": avg, "epoch": self.current_epoch})
        self.outputs.clear()

    def configure_optimizers(self):
        return self.optimizer

    def train_dataloader(self):
        return self.train_loader

    def val_dataloader(self):
        return self.val_loader
