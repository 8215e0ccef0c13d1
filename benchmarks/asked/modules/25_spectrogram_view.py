import torch
import torch.nn as nn
import torch.nn.functional as F


class AudioStream(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(2, 96, kernel_size=(1, 7), padding=(0, 3))
        self.bn1 = nn.BatchNorm2d(96)
        self.conv2 = nn.Conv2d(96, 8, kernel_size=1)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.conv2(x))


class Separator(nn.Module):
    def __init__(self):
        super().__init__()
        self.audio = AudioStream()
        self.lstm = nn.LSTM(8 * 257, 400, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(800, 600)

    def forward(self, spectrogram):
        audio = self.audio(spectrogram)
        batch_size, channels, time, freq = audio.size()
        merged = audio.view(batch_size, time, channels * freq)  # asked: TL703
        out, _ = self.lstm(merged)
        return torch.sigmoid(self.fc(out))


print(Separator()(torch.rand(1, 2, 298, 257)).shape)
