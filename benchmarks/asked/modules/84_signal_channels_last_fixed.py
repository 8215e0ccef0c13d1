import numpy as np
import torch
import torch.nn as nn

X_train = np.random.randn(708, 256, 3)
y_train = np.random.randint(0, 6, 708)


class Activity(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 24, kernel_size=5)
        self.pool = nn.AdaptiveAvgPool1d(1)
        self.fc = nn.Linear(24, 6)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        return self.fc(self.pool(x).squeeze(-1))


X = torch.from_numpy(X_train).float().permute(0, 2, 1)
y = torch.from_numpy(y_train).long()
model = Activity()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(2):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(X), y)
    loss.backward()
    optimizer.step()
