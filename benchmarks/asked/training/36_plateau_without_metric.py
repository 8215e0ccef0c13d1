import torch
import torch.nn as nn


class Solver:
    def __init__(self, model, lr=1e-2):
        self.model = model
        self.optim = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optim, mode="min", factor=0.5, patience=2)
        self.loss_func = nn.SmoothL1Loss()

    def run_epoch(self, batches):
        self.model.train()
        total = 0.0
        for x, y in batches:
            self.optim.zero_grad()
            loss = self.loss_func(self.model(x), y)
            loss.backward()
            self.optim.step()
            total += loss.item()
        return total / len(batches)

    def train(self, batches, epochs):
        history = []
        for epoch in range(epochs):
            epoch_loss = self.run_epoch(batches)
            history.append(epoch_loss)
            self.scheduler.step()  # asked: TL205
        return history


batches = [(torch.randn(8, 3), torch.randn(8, 1)) for _ in range(6)]
solver = Solver(nn.Linear(3, 1))
print(solver.train(batches, 4))
