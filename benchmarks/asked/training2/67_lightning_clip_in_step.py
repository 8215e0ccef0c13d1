import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class WorldModel(pl.LightningModule):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.model = nn.Sequential(nn.Linear(16, 64), nn.SiLU(), nn.Linear(64, 16))

    def training_step(self, batch, batch_idx):
        x, target = batch
        noise = torch.randn_like(target)
        pred = self.model(x + noise)
        loss = F.mse_loss(pred, noise)
        if self.cfg["gradient_clip_norm"] > 0 and self.global_step > self.cfg["start_clip_iter"]:
            grad_norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["gradient_clip_norm"])  # asked: TL206
            self.log("gradient_norm", grad_norm)
        self.log("train_loss", loss)
        return loss


    def configure_optimizers(self):
        return torch.optim.AdamW(self.model.parameters(), lr=1e-4)


if __name__ == "__main__":
    data = TensorDataset(torch.randn(32, 16), torch.randn(32, 16))
    trainer = pl.Trainer(max_epochs=1, logger=False)
    trainer.fit(WorldModel({"gradient_clip_norm": 0.1, "start_clip_iter": 0}), DataLoader(data, batch_size=8))
