import torch
import torch.nn as nn


def my_kl_loss(p, q):
    res = p * (torch.log(p + 0.0001) - torch.log(q + 0.0001))
    return torch.mean(torch.sum(res, dim=-1), dim=1)


class AnomalyModel(nn.Module):
    def __init__(self, channels=8, d=16):
        super().__init__()
        self.embed = nn.Linear(channels, d)
        self.query = nn.Linear(d, d)
        self.sigma = nn.Linear(d, d)
        self.out = nn.Linear(d, channels)

    def forward(self, x):
        h = self.embed(x)
        series = torch.softmax(self.query(h) @ h.transpose(1, 2), -1)
        prior = torch.softmax(self.sigma(h) @ h.transpose(1, 2), -1)
        return self.out(series @ h), series, prior


class Solver:
    def __init__(self, k=3):
        self.k = k
        self.model = AnomalyModel()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-4)
        self.criterion = nn.MSELoss()

    def train(self, loader):
        self.model.train()
        for i, input in enumerate(loader):
            self.optimizer.zero_grad()
            output, series, prior = self.model(input)
            series_loss = my_kl_loss(series, prior.detach()).mean()
            prior_loss = my_kl_loss(prior, series.detach()).mean()
            rec_loss = self.criterion(output, input)
            loss1 = rec_loss - self.k * series_loss
            loss2 = rec_loss + self.k * prior_loss
            loss1.backward(retain_graph=True)
            loss2.backward()
            self.optimizer.step()
            print(i, loss1.item(), loss2.item())


Solver().train([torch.randn(4, 20, 8) for _ in range(3)])
