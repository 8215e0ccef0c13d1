import torch
import torch.nn as nn


class Relational(nn.Module):
    def __init__(self, features, width, relations=10):
        super(Relational, self).__init__()
        self.aggregate = nn.ModuleDict()
        self.project = nn.ModuleDict()
        for r in range(relations):
            self.aggregate[str(r)] = nn.ParameterDict({"w": nn.Parameter(1.0 + torch.randn(1, 2)), "b": nn.Parameter(torch.zeros(1, 4))})
            self.project[str(r)] = nn.Linear(features, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x, relation):
        h = self.project[str(relation)](x)
        h = h * self.aggregate[str(relation)]["w"].sum() + self.aggregate[str(relation)]["b"].mean()
        return self.out(torch.relu(h))


model = Relational(6, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(5):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 6), step).pow(2).mean()
    loss.backward()
    optimizer.step()
