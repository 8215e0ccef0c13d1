import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(24, 8)
        self.g = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 16))
        self.d = nn.Sequential(nn.Linear(16 + 8, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
        self._opt_g = torch.optim.Adam([*self.g.parameters(), *self.enc.parameters()], lr=4e-4)
        self._opt_d = torch.optim.Adam(self.d.parameters(), lr=2e-4)

    def forward_d(self, spec, f):
        return self.d(torch.cat([spec, f], dim=1))

    def training_step(self, batch, optimizer_idx):
        spec, label = batch
        f = self.enc(label)
        z = torch.cat([f, torch.randn(label.shape[0], 4)], 1)
        fake_spec = self.g(z)
        if optimizer_idx == 0:
            d_fake2 = self.forward_d(fake_spec, f)
            g_loss1 = F.mse_loss(d_fake2, torch.ones(d_fake2.shape))
            g_loss2 = F.l1_loss(fake_spec, spec)
            return g_loss1 + 100 * g_loss2
        d_fake = self.forward_d(fake_spec.detach(), f.detach())
        d_real = self.forward_d(spec, f.detach())
        return F.mse_loss(d_fake, torch.zeros(d_fake.shape)) + F.mse_loss(d_real, torch.ones(d_real.shape))


def main():
    model = Model()
    loader = [(torch.randn(8, 16), torch.randn(8, 24)) for _ in range(4)]
    for epoch in range(2):
        for batch in loader:
            for optimizer_idx, optimizer in enumerate((model._opt_g, model._opt_d)):
                optimizer.zero_grad()
                loss = model.training_step(batch, optimizer_idx)
                loss.backward()
                optimizer.step()


if __name__ == "__main__":
    main()
