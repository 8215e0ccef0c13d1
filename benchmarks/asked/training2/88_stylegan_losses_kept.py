import torch
import torch.nn.functional as F
from torch import nn


def G_logistic_ns(G, D, latents):
    fake = G(latents)
    loss = F.softplus(-D(fake)).mean()
    loss.backward()
    return loss


def D_logistic(G, D, latents, reals):
    with torch.no_grad():
        fake = G(latents)
    loss = F.softplus(-D(reals)).mean() + F.softplus(D(fake)).mean()
    loss.backward()
    return loss


class Trainer:
    def __init__(self, G, D, data, lr=2e-3):
        self.G, self.D, self.data = G, D, data
        self.G_opt = torch.optim.Adam(G.parameters(), lr, betas=(0.0, 0.99))
        self.D_opt = torch.optim.Adam(D.parameters(), lr, betas=(0.0, 0.99))
        self.metrics = {"G_loss": [], "D_loss": []}

    def train(self, iterations):
        for i in range(iterations):
            reals = self.data[i % len(self.data)]
            self.G_opt.zero_grad()
            g_loss = G_logistic_ns(self.G, self.D, torch.randn(4, 8))
            self.G_opt.step()
            self.D_opt.zero_grad()
            d_loss = D_logistic(self.G, self.D, torch.randn(4, 8), reals)
            self.D_opt.step()
            self.metrics["G_loss"].append(g_loss)  # asked: TL801
            self.metrics["D_loss"].append(d_loss)


if __name__ == "__main__":
    G = nn.Sequential(nn.Linear(8, 32), nn.LeakyReLU(0.2), nn.Linear(32, 16))
    D = nn.Sequential(nn.Linear(16, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
    Trainer(G, D, [torch.randn(4, 16) for _ in range(3)]).train(5)
