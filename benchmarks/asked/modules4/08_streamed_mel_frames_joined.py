import torch
from torch import nn


class UpsampleNetwork(nn.Module):
    def __init__(self, n_freq=80, n_output=64, hop=4):
        super().__init__()
        self.conv = nn.Conv1d(n_freq, n_output, 3, padding=1)
        self.hop = hop

    def forward(self, spec):
        return torch.repeat_interleave(torch.relu(self.conv(spec)), self.hop, dim=-1)


class WaveModel(nn.Module):
    def __init__(self, n_hidden=64, n_classes=256):
        super().__init__()
        self.upsample = UpsampleNetwork()
        self.cell = nn.GRUCell(n_hidden + 1, n_hidden)
        self.fc = nn.Linear(n_hidden, n_classes)

    @torch.no_grad()
    def infer(self, specgram):
        features = self.upsample(specgram)
        b, _, length = features.shape
        h = features.new_zeros(b, 64)
        x = features.new_zeros(b, 1)
        output = torch.zeros(b, 0, device=specgram.device)
        for t in range(length):
            h = self.cell(torch.cat([features[:, :, t], x], dim=1), h)
            posterior = self.fc(h).softmax(dim=1)
            x = torch.multinomial(posterior, 1).float() * 2 / 255 - 1.0
            output = torch.cat([output, x], dim=1)  # asked: TL807
        return output


if __name__ == "__main__":
    model = WaveModel().eval()
    print(model.infer(torch.randn(2, 80, 30)).shape)
