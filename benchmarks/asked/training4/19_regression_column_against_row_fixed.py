import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class TableDataset(Dataset):
    def __init__(self, features, prices):
        self.features = torch.tensor(features, dtype=torch.float32)
        self.prices = torch.tensor(prices, dtype=torch.float32)

    def __len__(self):
        return len(self.prices)

    def __getitem__(self, index):
        return self.features[index], self.prices[index]


class Regressor(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.fc1 = nn.Linear(n_features, 32)
        self.fc2 = nn.Linear(32, 1)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def fit(dataset, epochs=5):
    loader = DataLoader(dataset, batch_size=50, shuffle=True)
    model = Regressor(dataset.features.shape[1])
    loss = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(epochs):
        for x, y in loader:
            out = loss(model(x), y.reshape(-1, 1))
            optimizer.zero_grad()
            out.backward()
            optimizer.step()
        print(epoch, out.item())


rng = np.random.default_rng(0)
features = rng.normal(size=(100, 6))
fit(TableDataset(features, features @ rng.normal(size=6)))
