import numpy as np
import torch
import torch.nn as nn


class RMSLELoss(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, pred, actual):
        log_pred = np.log(pred.detach().numpy() + 1)  # asked: TL123
        log_actual = np.log(actual.numpy() + 1)
        return torch.tensor(np.sqrt(np.mean((log_pred - log_actual) ** 2)), requires_grad=True)


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.Softplus())
criterion = RMSLELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
x, y = torch.rand(32, 4), torch.rand(32, 1) * 10
for epoch in range(5):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
