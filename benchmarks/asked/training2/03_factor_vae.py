import torch
import torch.nn.functional as F
from torch import nn, optim


class Disc(nn.Module):
    def __init__(self, z_dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(z_dim, 100), nn.LeakyReLU(0.2), nn.Linear(100, 2))

    def forward(self, z):
        return self.net(z)


class VAE(nn.Module):
    def __init__(self, z_dim=6):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 2 * z_dim))
        self.decode = nn.Sequential(nn.Linear(z_dim, 128), nn.ReLU(), nn.Linear(128, 64))

    def forward(self, x):
        mu, logvar = self.encode(x).chunk(2, dim=1)
        z = mu + (0.5 * logvar).exp() * torch.randn_like(mu)
        return self.decode(z), mu, logvar, z


def permute_dims(z):
    return torch.stack([column[torch.randperm(len(z))] for column in z.t()], dim=1)


class Solver:
    def __init__(self, gamma=6.4):
        self.gamma = gamma
        self.vae, self.disc = VAE(), Disc(6)
        self.optim_vae = optim.Adam(self.vae.parameters(), lr=1e-4)
        self.optim_disc = optim.Adam(self.disc.parameters(), lr=1e-4)

    def train(self, loader):
        for x, x2 in loader:
            recon, mu, logvar, z = self.vae(x)
            recon_loss = F.binary_cross_entropy_with_logits(recon, x, reduction="sum") / len(x)
            kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
            d_z = self.disc(z)
            tc = (d_z[:, :1] - d_z[:, 1:]).mean()
            vae_loss = recon_loss + kld + self.gamma * tc
            self.optim_vae.zero_grad()
            vae_loss.backward(retain_graph=True)
            self.optim_vae.step()

            zeros = torch.zeros(len(x), dtype=torch.long)
            ones = torch.ones(len(x), dtype=torch.long)
            z_prime = self.vae(x2)[3]
            d_perm = self.disc(permute_dims(z_prime).detach())
            d_tc_loss = 0.5 * (F.cross_entropy(d_z, zeros) + F.cross_entropy(d_perm, ones))
            self.optim_disc.zero_grad()
            d_tc_loss.backward()  # asked: TL101
            self.optim_disc.step()


if __name__ == "__main__":
    data = [(torch.rand(8, 64), torch.rand(8, 64)) for _ in range(4)]
    Solver().train(data)
