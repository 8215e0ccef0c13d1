import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler, autocast


class Gen(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(8, 32, 3, padding=1), nn.LeakyReLU(0.1), nn.Conv1d(32, 1, 3, padding=1))

    def forward(self, mel):
        return torch.tanh(self.net(mel))


class Dis(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, 16, 5, padding=2), nn.LeakyReLU(0.1), nn.Conv1d(16, 1, 3, padding=1))

    def forward(self, wave):
        return self.net(wave)


def train_and_evaluate(epoch, nets, optims, scaler, loader, fp16=True, device="cuda" if torch.cuda.is_available() else "cpu"):
    net_g, net_d = nets
    optim_g, optim_d = optims
    net_g.train()
    net_d.train()
    for mel, wave in loader:
        mel, wave = mel.to(device), wave.to(device)
        with autocast(device, enabled=fp16):
            y_hat = net_g(mel)
            real, fake = net_d(wave), net_d(y_hat.detach())
            loss_disc = ((1 - real) ** 2).mean() + (fake ** 2).mean()
        optim_d.zero_grad()
        scaler.scale(loss_disc).backward()
        scaler.unscale_(optim_d)
        nn.utils.clip_grad_norm_(net_d.parameters(), 1000.0)
        scaler.step(optim_d)
        with autocast(device, enabled=fp16):
            loss_gen = ((1 - net_d(y_hat)) ** 2).mean() + F.l1_loss(y_hat, wave) * 45
        optim_g.zero_grad()
        scaler.scale(loss_gen).backward()
        scaler.unscale_(optim_g)
        nn.utils.clip_grad_norm_(net_g.parameters(), 1000.0)
        scaler.step(optim_g)
        scaler.update()


def run():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    g, d = Gen().to(device), Dis().to(device)
    optims = torch.optim.AdamW(g.parameters(), 1e-4), torch.optim.AdamW(d.parameters(), 1e-4)
    scaler = GradScaler(device, enabled=True)
    for epoch in range(2):
        train_and_evaluate(epoch, (g, d), optims, scaler, [(torch.randn(2, 8, 16), torch.randn(2, 1, 16)) for _ in range(2)])


if __name__ == "__main__":
    run()
