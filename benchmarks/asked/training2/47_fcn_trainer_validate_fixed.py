import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class FCN(nn.Module):
    def __init__(self, n_class=4):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1)
        self.drop6 = nn.Dropout2d()
        self.score = nn.Conv2d(16, n_class, 1)

    def forward(self, x):
        return self.score(self.drop6(F.relu(self.conv1(x))))


class Trainer:
    def __init__(self, model, optimizer, train_loader, val_loader, max_iter, interval_validate=None):
        self.model, self.optim = model, optimizer
        self.train_loader, self.val_loader = train_loader, val_loader
        self.interval_validate = len(train_loader) if interval_validate is None else interval_validate
        self.epoch, self.iteration, self.max_iter = 0, 0, max_iter
        self.best = 0.0

    def validate(self):
        training = self.model.training
        self.model.eval()
        val_loss, right, total = 0.0, 0, 0
        for data, target in self.val_loader:
            with torch.no_grad():
                score = self.model(data)
            val_loss += F.cross_entropy(score, target).item() / len(self.val_loader)
            right += (score.argmax(1) == target).sum().item()
            total += target.numel()
        self.best = max(self.best, right / total)
        if training:
            self.model.train()

    def train_epoch(self):
        self.model.train()
        for batch_idx, (data, target) in enumerate(self.train_loader):
            iteration = batch_idx + self.epoch * len(self.train_loader)
            if self.iteration != 0 and (iteration - 1) != self.iteration:
                continue
            self.iteration = iteration
            if self.iteration % self.interval_validate == 0:
                self.validate()
            assert self.model.training
            self.optim.zero_grad()
            score = self.model(data)
            loss = F.cross_entropy(score, target)
            if np.isnan(loss.item()):
                raise ValueError("loss is nan while training")
            loss.backward()
            self.optim.step()
            if self.iteration >= self.max_iter:
                break

    def train(self):
        max_epoch = int(math.ceil(1.0 * self.max_iter / len(self.train_loader)))
        for epoch in range(max_epoch):
            self.epoch = epoch
            self.train_epoch()
            if self.iteration >= self.max_iter:
                break


if __name__ == "__main__":
    data = [(torch.randn(1, 3, 8, 8), torch.randint(0, 4, (1, 8, 8))) for _ in range(4)]
    net = FCN()
    Trainer(net, torch.optim.SGD(net.parameters(), lr=1e-3), data, data, 8, 4).train()
