import lightning.pytorch as pl
import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset


class System(pl.LightningModule):
    def __init__(self, model, optimizer, loss_func, train_loader, val_loader=None, scheduler=None):
        super().__init__()
        self.model, self.optimizer, self.loss_func = model, optimizer, loss_func
        self.train_loader, self.val_loader, self.scheduler = train_loader, val_loader, scheduler

    def forward(self, mixture):
        return self.model(mixture)

    def common_step(self, batch):
        inputs, targets = batch
        return self.loss_func(self(inputs), targets)

    def training_step(self, batch, batch_nb):
        loss = self.common_step(batch)
        self.log("loss", loss)
        return loss

    def validation_step(self, batch, batch_nb):
        self.log("val_loss", self.common_step(batch), on_epoch=True)

    def configure_optimizers(self):
        if self.scheduler is None:
            return self.optimizer
        return [self.optimizer], [self.scheduler]  # asked: TL240

    def train_dataloader(self):
        return self.train_loader

    def val_dataloader(self):
        return self.val_loader


def main(conf):
    train_set = TensorDataset(torch.randn(32, 1, 400), torch.randn(32, 2, 400))
    val_set = TensorDataset(torch.randn(8, 1, 400), torch.randn(8, 2, 400))
    train_loader = DataLoader(train_set, shuffle=True, batch_size=4)
    val_loader = DataLoader(val_set, batch_size=4)
    model = nn.Sequential(nn.Conv1d(1, 16, 9, padding=4), nn.PReLU(), nn.Conv1d(16, 2, 9, padding=4))
    optimizer = torch.optim.Adam(model.parameters(), lr=conf["lr"])
    scheduler = ReduceLROnPlateau(optimizer=optimizer, factor=0.5, patience=5)
    system = System(model, optimizer, nn.MSELoss(), train_loader, val_loader, scheduler)
    trainer = pl.Trainer(max_epochs=conf["epochs"])
    trainer.fit(system)


if __name__ == "__main__":
    main({"lr": 1e-3, "epochs": 20})
