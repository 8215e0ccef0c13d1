import numpy as np
import torch as tr
import torch.nn as nn


def count(parameters):
    total, trainable = 0, 0
    for p in parameters:
        n = np.prod(p.data.shape)
        total += n
        if p.requires_grad:
            trainable += n
    return total, trainable


class Listed(nn.Module):
    def __init__(self, d_in, d_out, depth):
        super(Listed, self).__init__()
        self.layers = nn.ModuleList()
        for i in range(depth - 1):
            self.layers.append(nn.Conv2d(in_channels=d_in, out_channels=d_in, kernel_size=1))
        self.layers.append(nn.Conv2d(in_channels=d_in, out_channels=d_out, kernel_size=1))

    def forward(self, x):
        y = x
        for layer in self.layers:
            y = layer(y)
        return y


model = Listed(3, 3, 3)
x = tr.zeros(10, 3, 8, 8)
print(count(model.parameters()))
print(model(x).shape)
