import torch
import torch.nn.functional as F
from lightning.pytorch import LightningModule
from torch import nn


class VitsLightning(LightningModule):
    def __init__(self, lr=2e-4, lr_decay=0.9999):
        super().__init__()
        self.automatic_optimization = False
        self.lr, self.lr_decay = lr, lr_decay
        self.net_g = nn.Sequential(nn.Linear(16, 32), nn.LeakyReLU(), nn.Linear(32, 64))
        self.net_d = nn.Sequential(nn.Linear(64, 32), nn.LeakyReLU(), nn.Linear(32, 1))

    def configure_optimizers(self):
        optim_g = torch.optim.AdamW(self.net_g.parameters(), self.lr)
        optim_d = torch.optim.AdamW(self.net_d.parameters(), self.lr)
        scheduler_g = torch.optim.lr_scheduler.ExponentialLR(optim_g, gamma=self.lr_decay)
        scheduler_d = torch.optim.lr_scheduler.ExponentialLR(optim_d, gamma=self.lr_decay)
        return [optim_g, optim_d], [scheduler_g, scheduler_d]

    def training_step(self, batch, batch_idx):
        spec, wave = batch
        optim_g, optim_d = self.optimizers()
        fake = self.net_g(spec)
        real_score, fake_score = self.net_d(wave), self.net_d(fake.detach())
        loss_d = (1 - real_score).pow(2).mean() + fake_score.pow(2).mean()
        optim_d.zero_grad()
        self.manual_backward(loss_d)
        optim_d.step()

        loss_g = (1 - self.net_d(fake)).pow(2).mean() + 45 * F.l1_loss(fake, wave)
        optim_g.zero_grad()
        self.manual_backward(loss_g)
        optim_g.step()
        if self.trainer.is_last_batch:
            for scheduler in self.lr_schedulers():
                scheduler.step()
        self.log_dict({"loss/g": loss_g, "loss/d": loss_d}, prog_bar=True)
