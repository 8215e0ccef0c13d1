import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Voxels(Dataset):
    def __init__(self, data, targets):
        self.data = data
        self.targets = targets

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return torch.Tensor(self.data[i]), torch.tensor(self.targets[i])


class VNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv3d(3, 32, kernel_size=3)
        self.fc = nn.Linear(32, 5)

    def forward(self, x):
        return self.fc(torch.relu(self.conv(x)).mean(dim=(2, 3, 4)))  # asked: TL714


train_set = Voxels(np.random.rand(40, 16, 16, 16, 3), np.random.randint(0, 5, 40))
train_loader = DataLoader(train_set, batch_size=10, shuffle=True)
net = VNet()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(inputs), labels)
        loss.backward()
        optimizer.step()
