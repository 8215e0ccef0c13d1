import time

import torch
import torch.nn as nn


class ModleWithLoss(nn.Module):
    def __init__(self, model, loss):
        super().__init__()
        self.model = model
        self.loss = loss

    def forward(self, batch):
        outputs = self.model(batch["input"])
        loss, loss_stats = self.loss(outputs, batch)
        return outputs, loss, loss_stats


class CtdetLoss(nn.Module):
    def forward(self, outputs, batch):
        hm_loss = nn.functional.mse_loss(torch.sigmoid(outputs[:, :1]), batch["hm"])
        wh_loss = nn.functional.l1_loss(outputs[:, 1:], batch["wh"])
        loss = hm_loss + 0.1 * wh_loss
        return loss, {"loss": loss, "hm_loss": hm_loss, "wh_loss": wh_loss}


class AverageMeter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n


class BaseTrainer:
    def __init__(self, model, optimizer):
        self.optimizer = optimizer
        self.model_with_loss = ModleWithLoss(model, CtdetLoss())

    def run_epoch(self, phase, epoch, data_loader):
        model_with_loss = self.model_with_loss
        if phase == "train":
            model_with_loss.train()
        else:
            model_with_loss.eval()
        avg_loss_stats = {k: AverageMeter() for k in ["loss", "hm_loss", "wh_loss"]}
        end = time.time()
        for iter_id, batch in enumerate(data_loader):
            output, loss, loss_stats = model_with_loss(batch)
            loss = loss.mean()
            if phase == "train":
                loss.backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
            for k in avg_loss_stats:
                avg_loss_stats[k].update(loss_stats[k].mean().item(), batch["input"].size(0))
            del output, loss, loss_stats
        return {k: v.sum / v.count for k, v in avg_loss_stats.items()}, time.time() - end

    def train(self, epoch, data_loader):
        return self.run_epoch("train", epoch, data_loader)


def main():
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 3, 1))
    optimizer = torch.optim.Adam(model.parameters(), 1.25e-4)
    trainer = BaseTrainer(model, optimizer)
    loader = [{"input": torch.randn(2, 3, 8, 8), "hm": torch.rand(2, 1, 8, 8), "wh": torch.rand(2, 2, 8, 8)} for _ in range(3)]
    for epoch in range(1, 4):
        print(trainer.train(epoch, loader))


main()
