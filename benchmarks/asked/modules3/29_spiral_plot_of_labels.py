import math

import numpy as np
import torch
from torch import nn, optim

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")

N, D, C, H = 200, 2, 3, 50

X = torch.zeros(N * C, D).to(device)
y = torch.zeros(N * C, dtype=torch.long).to(device)
for c in range(C):
    t = torch.linspace(0, 1, N)
    inner = torch.linspace((2 * math.pi / C) * c, (2 * math.pi / C) * (2 + c), N) + torch.randn(N) * 0.12
    X[c * N:(c + 1) * N] = torch.stack((t * torch.sin(inner), t * torch.cos(inner)), 1).to(device)
    y[c * N:(c + 1) * N] = c


def plot_data(X, y):
    X = X.cpu()
    points = X.numpy()
    colours = y.numpy()  # asked: TL514
    print(np.c_[points, colours].shape)


model = nn.Sequential(nn.Linear(D, H), nn.ReLU(), nn.Linear(H, C))
model.to(device)
criterion = nn.CrossEntropyLoss()
optimizer = optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
for t in range(100):
    y_pred = model(X)
    loss = criterion(y_pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

plot_data(X, y)
