import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, v):
        self.sum += v
        self.count += 1

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


class AlignmentTrainer:
    def __init__(self, model, data_loader, val_data_loader, max_epoch=2):
        self.model = model
        self.data_loader, self.val_data_loader = data_loader, val_data_loader
        self.optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.8)
        self.max_epoch = max_epoch

    def train(self):
        for epoch in range(self.max_epoch):
            self._train_epoch(epoch)
            val = self._valid_epoch()
            print(epoch, val)

    def _train_epoch(self, epoch):
        self.model.train()
        for a, b in self.data_loader:
            self.optimizer.zero_grad()
            loss = (self.model(a) - self.model(b)).pow(2).sum(1).mean()
            loss.backward()
            self.optimizer.step()

    def _valid_epoch(self):
        self.model.eval()
        hit = AverageMeter()
        for a, b in self.val_data_loader:
            f0 = self.model(a)  # asked: TL210
            f1 = self.model(b)
            dists = torch.cdist(f0, f1)
            nearest = dists.argmin(dim=1)
            hit.update((nearest == torch.arange(len(a))).float().mean().item())
        return {"hit_ratio": hit.avg}


if __name__ == "__main__":
    data = [(torch.randn(16, 3), torch.randn(16, 3)) for _ in range(3)]
    AlignmentTrainer(nn.Sequential(nn.Linear(3, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 32)), data, data).train()
