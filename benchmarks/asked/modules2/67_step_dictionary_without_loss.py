import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ImageModel(pl.LightningModule):
    def __init__(self, num_classes=4):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(8, num_classes)
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x):
        return self.head(self.backbone(x))

    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        loss = self.criterion(logits, y)
        self.log("train_loss", loss)
        probabilities = torch.softmax(logits, dim=1)
        return {"preds": probabilities.detach(), "target": y}  # asked: TL240

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.log("val_loss", self.criterion(logits, y))
        return {"preds": logits, "target": y}

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


if __name__ == "__main__":
    data = TensorDataset(torch.randn(32, 3, 16, 16), torch.randint(0, 4, (32,)))
    pl.Trainer(max_epochs=1).fit(ImageModel(), DataLoader(data, batch_size=8, shuffle=True), DataLoader(data, batch_size=8))
