import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, depth):
        super(Stack, self).__init__()

        self.first = nn.Linear(1, 1)
        self.rest = nn.ModuleList([nn.Linear(1, 1) for i in range(depth)])

    def forward(self, x):
        x = self.first(x)
        for layer in self.rest:
            x = torch.tanh(layer(x))
        return x


net = Stack(4)
print(net)
print(net(torch.randn(8, 1)).shape)
