import torch
import torch.nn as nn
import torch.nn.functional as F


class STFTNet(nn.Module):
    def __init__(self, input_size, num_classes):
        super(STFTNet, self).__init__()
        stft = torch.stft(torch.ones(input_size), n_fft=32, return_complex=True, window=torch.ones(32))
        linear_input_size = stft.reshape(-1).shape[0]
        self.register_buffer("window", torch.ones(32))
        self.fc1 = nn.Linear(linear_input_size, 50)
        self.fc2 = nn.Linear(50, num_classes)

    def forward(self, x):
        x = torch.abs(torch.stft(x, n_fft=32, return_complex=True, window=self.window))
        x = x / max(torch.max(x), 0.0000000001)  # asked: TL911
        x = x.reshape(x.size(0), -1)
        x = F.relu(self.fc1(x))
        return self.fc2(x)


model = STFTNet(1000, 4).eval()
x = torch.randn(8, 1000)
traced = torch.jit.trace(model, x)
traced.save("stft.pt")
