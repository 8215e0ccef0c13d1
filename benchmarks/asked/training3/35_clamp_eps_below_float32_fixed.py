import torch
from torch import nn


class FocalLoss(nn.Module):
    def __init__(self, gamma=0.0, eps=1e-8):
        super().__init__()
        self.gamma = gamma
        self.eps = eps

    def forward(self, y_pred, y_true):
        y_pred = torch.clamp(y_pred, self.eps, 1 - self.eps)
        y_true = y_true.unsqueeze(1)
        y_pred = y_pred.unsqueeze(1)
        loss = torch.sum(
            y_true * torch.pow(1 - y_pred, self.gamma) * torch.log(y_pred)
            + (1 - y_true) * torch.pow(y_pred, self.gamma) * torch.log(1 - y_pred + self.eps),
            dim=1,
        )
        return -loss.sum() / y_pred.size(0)


net = nn.Sequential(nn.Linear(10, 1), nn.Sigmoid())
criterion = FocalLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(5):
    y_pred = net(40 * torch.randn(64, 10)).squeeze(1)
    loss = criterion(y_pred, torch.randint(0, 2, (64,)).float())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
