import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class CsvDataset(Dataset):
    def __init__(self, table):
        self.data = table

    def __len__(self):
        return len(self.data)

    def __getitem__(self, idx):
        row = self.data[idx]
        features = torch.tensor(row[:-1], dtype=torch.float32)
        label = torch.tensor(row[-1], dtype=torch.long)
        return features, label


table = np.concatenate([np.random.randn(40, 6), np.random.randint(0, 3, (40, 1))], axis=1)
loader = DataLoader(CsvDataset(table), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
loss_fn = nn.CrossEntropyLoss()
opt = torch.optim.Adam(model.parameters())
for epoch in range(2):
    for features, label in loader:
        opt.zero_grad()
        loss = loss_fn(model(features), label)
        loss.backward()
        opt.step()
