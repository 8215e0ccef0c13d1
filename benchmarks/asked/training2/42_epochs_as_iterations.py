import torch
from torch import nn, optim


class Manager:
    def __init__(self, max_epoch=10, lr=1e-3, scheduler="cosine"):
        self.max_epoch, self.lr, self.scheduler = max_epoch, lr, scheduler


class BaseTrainer:
    def __init__(self, mgr, model, loader):
        self.mgr, self.model, self.loader = mgr, model, loader

    def _get_optimizer(self, model):
        return optim.AdamW(model.parameters(), lr=self.mgr.lr)

    def _get_scheduler(self, optimizer):
        steps = self.mgr.max_epoch
        return optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)

    def train(self):
        optimizer = self._get_optimizer(self.model)
        scheduler = self._get_scheduler(optimizer)
        loss_fn = nn.BCEWithLogitsLoss()
        for epoch in range(self.mgr.max_epoch):
            self.model.train()
            for volume, labels in self.loader:
                optimizer.zero_grad(set_to_none=True)
                loss = loss_fn(self.model(volume), labels)
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 3.0)
                optimizer.step()
                scheduler.step()  # asked: TL205


if __name__ == "__main__":
    data = [(torch.randn(1, 1, 8, 8, 8), torch.rand(1, 1, 8, 8, 8).round()) for _ in range(4)]
    BaseTrainer(Manager(max_epoch=2), nn.Conv3d(1, 1, 3, padding=1), data).train()
