import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F


class PriorClassifier(pl.LightningModule):
    def __init__(self, counts):
        super().__init__()
        counts = torch.tensor(counts, dtype=torch.float)
        self.log_prior = torch.log(counts / counts.sum())  # asked: TL403
        self.net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 3))

    def forward(self, x):
        return self.net(x) + self.log_prior

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self(x), y)
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


if __name__ == "__main__":
    data = torch.utils.data.TensorDataset(torch.randn(64, 16), torch.randint(0, 3, (64,)))
    trainer = pl.Trainer(max_epochs=1, accelerator="gpu", devices=1)
    trainer.fit(PriorClassifier([10, 30, 60]), torch.utils.data.DataLoader(data, batch_size=8, shuffle=True))
