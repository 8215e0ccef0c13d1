import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Delayed(Dataset):
    def __init__(self, n, delays=4):
        self.y = torch.zeros(n + delays)
        for k in range(2, n + delays):
            self.y[k] = 0.5 * self.y[k - 1] - 0.2 * self.y[k - 2] + torch.randn(1).item()
        self.delays = delays

    def __len__(self):
        return len(self.y) - self.delays

    def __getitem__(self, i):
        return self.y[i:i + self.delays], self.y[i + self.delays]


class TimeDelayNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.stack = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x):
        return self.stack(x).squeeze(1)


def test(dataloader, model, loss_fn):
    model.eval()
    test_loss, correct = 0, 0
    with torch.no_grad():
        for X, y in dataloader:
            pred = model(X)
            test_loss += loss_fn(pred, y).item()
            correct += ((pred - y).abs() < 0.1).type(torch.float).sum().item()
    print(test_loss / len(dataloader), correct / len(dataloader.dataset))


test(DataLoader(Delayed(100), batch_size=10), TimeDelayNN(), nn.MSELoss())
