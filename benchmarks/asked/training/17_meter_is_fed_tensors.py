import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class AverageMeter(object):
    def __init__(self, items=None):
        self.items = items
        self.n_items = 1 if items is None else len(items)
        self.reset()

    def reset(self):
        self._val = [0] * self.n_items
        self._sum = [0] * self.n_items
        self._count = [0] * self.n_items

    def update(self, values):
        for idx, v in enumerate(values):
            self._val[idx] = v
            self._sum[idx] += v  # asked: TL802
            self._count[idx] += 1

    def avg(self):
        return [self._sum[i] / self._count[i] for i in range(self.n_items)]


class Runner:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(30, 32), nn.ReLU(), nn.Linear(32, 30))
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.losses = AverageMeter(["Coarse", "Fine"])

    def completion_loss(self, pred, gt):
        coarse = (pred - gt).abs().mean()
        fine = ((pred - gt) ** 2).mean()
        return coarse, fine

    def train_step(self, partial, gt):
        pred = self.model(partial)
        coarse, fine = self.completion_loss(pred, gt)
        loss = coarse + fine
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.update([coarse, fine])

    def train(self, loader, epochs):
        for epoch in range(epochs):
            self.losses.reset()
            self.model.train()
            for partial, gt in loader:
                self.train_step(partial, gt)
            print(epoch, self.losses.avg())


if __name__ == "__main__":
    data = TensorDataset(torch.randn(64, 30), torch.randn(64, 30))
    Runner().train(DataLoader(data, batch_size=8, shuffle=True), 2)
