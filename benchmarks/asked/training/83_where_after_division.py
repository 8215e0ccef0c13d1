import torch
import torch.nn as nn


class Repulsion(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.positions = nn.Parameter(torch.zeros(n, 2))
        with torch.no_grad():
            self.positions[1:] += torch.randn(n - 1, 2)

    def energy(self):
        diff = self.positions[:, None] - self.positions[None, :]
        d2 = (diff ** 2).sum(-1)
        inverse = torch.where(d2 > 0, 1.0 / torch.sqrt(d2), torch.zeros_like(d2))  # asked: TL118
        return inverse.sum() + (self.positions ** 2).sum()


model = Repulsion(6)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    loss = model.energy()
    loss.backward()
    optimizer.step()
    print(step, loss.item(), model.positions.isnan().any().item())
