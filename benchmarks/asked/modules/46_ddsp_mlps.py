import torch
import torch.nn as nn


def mlp(in_size, hidden_size, n_layers):
    channels = [in_size] + (n_layers) * [hidden_size]
    net = []
    for i in range(n_layers):
        net.append(nn.Linear(channels[i], channels[i + 1]))
        net.append(nn.LayerNorm(channels[i + 1]))
        net.append(nn.LeakyReLU())
    return nn.Sequential(*net)


def gru(n_input, hidden_size):
    return nn.GRU(n_input * hidden_size, hidden_size, batch_first=True)


class DDSP(nn.Module):
    def __init__(self, hidden_size, n_harmonic):
        super().__init__()
        self.in_mlps = nn.ModuleList([mlp(1, hidden_size, 3)] * 2)  # asked: TL405
        self.gru = gru(2, hidden_size)
        self.out_mlp = mlp(hidden_size + 2, hidden_size, 3)
        self.proj = nn.Linear(hidden_size, n_harmonic + 1)

    def forward(self, pitch, loudness):
        hidden = torch.cat([self.in_mlps[0](pitch), self.in_mlps[1](loudness)], -1)
        hidden = torch.cat([self.gru(hidden)[0], pitch, loudness], -1)
        return self.proj(self.out_mlp(hidden))


print(DDSP(16, 10)(torch.rand(2, 5, 1), torch.rand(2, 5, 1)).shape)
