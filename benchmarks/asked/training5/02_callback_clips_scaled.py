from functools import partial

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class AMPEngine:
    def __init__(self, device):
        self.device = device
        self.scaler = torch.amp.GradScaler(device)

    def autocast(self):
        return torch.autocast(self.device, dtype=torch.float16)

    def zero_grad(self, optimizer):
        optimizer.zero_grad()

    def backward_loss(self, loss):
        self.scaler.scale(loss).backward()

    def optimizer_step(self, optimizer):
        self.scaler.step(optimizer)
        self.scaler.update()


class OptimizerCallback:
    def __init__(self, grad_clip_fn=None):
        self.grad_clip_fn = grad_clip_fn

    def on_batch_end(self, runner):
        if not runner.is_train_loader:
            return
        runner.engine.zero_grad(runner.optimizer)
        runner.engine.backward_loss(runner.loss)
        if self.grad_clip_fn is not None:
            self.grad_clip_fn(runner.model.parameters())  # asked: TL206
        runner.engine.optimizer_step(runner.optimizer)


class Runner:
    def __init__(self, engine, model, optimizer, callbacks):
        self.engine, self.model, self.optimizer, self.callbacks = engine, model, optimizer, callbacks
        self.is_train_loader = True

    def train(self, loader, num_epochs):
        self.model.train()
        for _ in range(num_epochs):
            for features, targets in loader:
                features, targets = features.to(self.engine.device), targets.to(self.engine.device)
                with self.engine.autocast():
                    self.loss = nn.functional.cross_entropy(self.model(features), targets)
                for callback in self.callbacks:
                    callback.on_batch_end(self)


if __name__ == "__main__":
    engine = AMPEngine("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(engine.device)
    loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(3, (64,))), batch_size=16, shuffle=True)
    clip = OptimizerCallback(grad_clip_fn=partial(nn.utils.clip_grad_norm_, max_norm=1.0))
    Runner(engine, model, torch.optim.Adam(model.parameters(), lr=1e-3), [clip]).train(loader, 2)
