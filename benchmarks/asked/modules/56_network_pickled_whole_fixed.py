import tempfile

import torch
from torch import nn


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 1)])

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x


def check_save():
    f = Network()
    with tempfile.NamedTemporaryFile(suffix=".pth") as tmp:
        torch.save(f.state_dict(), tmp.name)
        f2 = Network()
        f2.load_state_dict(torch.load(tmp.name))
    x = torch.randn(2, 4)
    assert torch.allclose(f(x), f2(x))


check_save()
