import torch
import torch.nn as nn


class BadMLP(nn.Module):
    def __init__(self, guessed=10, hidden=16):
        super().__init__()
        self.fc = nn.Linear(guessed, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        # x is (B, F)
        return self.out(torch.relu(self.fc(x)))  # asked: TL701


model = BadMLP(guessed=10)
x = torch.randn(8, 12)

out = model(x)
print(out.shape)
