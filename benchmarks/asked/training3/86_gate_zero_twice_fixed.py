import torch
import torch.nn as nn


class LanguageGate(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.res_gate = nn.Sequential(
            nn.Linear(dim, dim, bias=False), nn.ReLU(), nn.Linear(dim, dim, bias=False), nn.Tanh()
        )
        nn.init.zeros_(self.res_gate[2].weight)

    def forward(self, x, x_residual):
        return x + self.res_gate(x_residual) * x_residual


class Stage(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.block = nn.Linear(dim, dim)
        self.fusion = nn.Linear(dim, dim)
        self.gate = LanguageGate(dim)

    def forward(self, x):
        x = torch.relu(self.block(x))
        return self.gate(x, self.fusion(x))


model = Stage()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for _ in range(3):
    loss = (model(torch.randn(4, 16)) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(model.gate.res_gate[0].weight.abs().sum(), model.gate.res_gate[2].weight.abs().sum())
