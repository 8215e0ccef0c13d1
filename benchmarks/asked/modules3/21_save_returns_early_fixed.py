import os

import torch
import torch.distributed as dist
from torch import nn


class CoderTrainer:
    def __init__(self, model, steps=1000, save_every=100):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.steps = steps
        self.save_every = save_every

    def fit(self):
        for step in range(self.steps):
            x = torch.randn(16, 32)
            loss = (self.model(x) - x).pow(2).mean()
            loss.backward()
            for p in self.model.parameters():
                dist.all_reduce(p.grad)
            self.optimizer.step()
            self.optimizer.zero_grad()
            if (step + 1) % self.save_every == 0:
                self.save()
        self.save()

    def save(self):
        """Save the coder to disk."""
        if not dist.is_initialized() or dist.get_rank() == 0:
            os.makedirs("coders", exist_ok=True)
            torch.save(self.model.state_dict(), "coders/coder.pt")

        # Wait until all have seen that it is saved
        if dist.is_initialized():
            dist.barrier()


def run():
    dist.init_process_group("gloo")
    CoderTrainer(nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 32))).fit()
    dist.destroy_process_group()


if __name__ == "__main__":
    run()
