from math import floor

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = torch.randn(200, 19)
X, y = data[:, :-1], data[:, -1]
train_n = int(floor(0.8 * len(X)))
low = X[:train_n].min(0)[0]
high = X[:train_n].max(0)[0]
X = 2 * (X - low) / (high - low) - 1
train_x, train_y = X[:train_n, :].contiguous(), y[:train_n].contiguous()
test_x, test_y = X[train_n:, :].contiguous(), y[train_n:].contiguous()


class LargeFeatureExtractor(nn.Sequential):
    def __init__(self, data_dim):
        super().__init__()
        self.add_module("linear1", nn.Linear(data_dim, 100))
        self.add_module("relu1", nn.ReLU())
        self.add_module("linear2", nn.Linear(100, 1))


def train(model, training_iterations=5):
    loader = DataLoader(TensorDataset(train_x, train_y), batch_size=32, shuffle=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    model.train()
    for _ in range(training_iterations):
        for x_batch, y_batch in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x_batch).squeeze(-1), y_batch)
            loss.backward()
            optimizer.step()


model = LargeFeatureExtractor(train_x.size(-1))
train(model)
model.eval()
with torch.no_grad():
    print(f"Test MAE: {torch.mean(torch.abs(model(test_x).squeeze(-1) - test_y)).item():.3f}")
