import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


class Score(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 64), nn.BatchNorm1d(64), nn.ELU(), nn.Linear(64, dim))

    def forward(self, x):
        return self.net(x)


def dsm(score, samples, sigma):
    noise = torch.randn_like(samples) * sigma
    target = -noise / sigma ** 2
    return 0.5 * ((score(samples + noise) - target) ** 2).sum(dim=-1).mean(dim=0)


class Runner:
    def __init__(self, n_epochs=3):
        self.n_epochs = n_epochs

    def train(self):
        dataset = TensorDataset(torch.randn(128, 8))
        test_dataset = TensorDataset(torch.randn(64, 8))
        dataloader = DataLoader(dataset, batch_size=16, shuffle=True)
        test_loader = DataLoader(test_dataset, batch_size=16, shuffle=True, drop_last=True)
        test_iter = iter(test_loader)

        score = Score(8)
        optimizer = optim.Adam(score.parameters(), lr=1e-3)
        step = 0
        for epoch in range(self.n_epochs):
            for i, (X,) in enumerate(dataloader):
                step += 1
                loss = dsm(score, X, 0.5)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()

                if step % 5 == 0:
                    score.eval()  # asked: TL209
                    try:
                        (test_X,) = next(test_iter)
                    except StopIteration:
                        test_iter = iter(test_loader)
                        (test_X,) = next(test_iter)
                    with torch.no_grad():
                        test_dsm_loss = dsm(score, test_X, 0.5)
                    print(step, loss.item(), test_dsm_loss.item())


if __name__ == "__main__":
    Runner().train()
