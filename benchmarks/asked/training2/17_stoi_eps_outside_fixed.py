import torch
from torch import nn
from torch.nn.functional import unfold

EPS = 1e-8


def meanvar_norm(x, mask=None, dim=-1):
    x = x - x.mean(dim, keepdim=True)
    return x / (x.norm(p=2, dim=dim, keepdim=True) + EPS)


class NegSTOI(nn.Module):
    def __init__(self, n_fft=128, bands=15):
        super().__init__()
        self.n_fft = n_fft
        self.register_buffer("OBM", torch.rand(bands, n_fft // 2 + 1).round())
        self.register_buffer("win", torch.hann_window(n_fft))

    def third_octaves(self, wav):
        spec = torch.stft(wav, self.n_fft, hop_length=self.n_fft // 2, window=self.win, return_complex=True)
        power = spec.real ** 2 + spec.imag ** 2
        return (torch.matmul(self.OBM, power) + EPS).sqrt()

    def forward(self, est, target):
        x, y = self.third_octaves(target), self.third_octaves(est)
        corr = meanvar_norm(x) * meanvar_norm(y)
        return -corr.sum(-1).mean()


if __name__ == "__main__":
    enhancer = nn.Conv1d(1, 1, 9, padding=4)
    loss_func = NegSTOI()
    optimizer = torch.optim.Adam(enhancer.parameters())
    for _ in range(2):
        noisy, clean = torch.randn(2, 1, 2000), torch.randn(2, 2000)
        optimizer.zero_grad()
        loss = loss_func(enhancer(noisy).squeeze(1), clean)
        loss.backward()
        optimizer.step()
