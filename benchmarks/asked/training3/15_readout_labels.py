import torch
from torch import nn


class OutputHead(nn.Module):
    def __init__(self, dim, hidden=32):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


class RegressionTask(nn.Module):
    def __init__(self, keys):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(16, 24), nn.SiLU())
        self.heads = nn.ModuleDict({key: OutputHead(24) for key in keys})
        self.loss_func = nn.MSELoss()

    def forward(self, batch):
        embedding = self.encoder(batch["nodes"]).mean(1)
        return {key: head(embedding) for key, head in self.heads.items()}

    def compute_losses(self, batch):
        predictions = self(batch)
        losses = {}
        for key, pred in predictions.items():
            target = batch["targets"][key]
            losses[key] = self.loss_func(pred, target)  # asked: TL311
        return sum(losses.values())


task = RegressionTask(["energy", "gap"])
optimizer = torch.optim.AdamW(task.parameters(), lr=1e-3)
for step in range(4):
    batch = {"nodes": torch.randn(8, 5, 16),
             "targets": {"energy": torch.randn(8, 1), "gap": torch.randn(8, 1)}}
    optimizer.zero_grad()
    loss = task.compute_losses(batch)
    loss.backward()
    optimizer.step()
    print(step, loss.item())
