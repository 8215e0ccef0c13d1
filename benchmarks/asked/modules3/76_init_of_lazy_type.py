import torch
from torch import nn

net = nn.Sequential(nn.LazyLinear(8), nn.ReLU(), nn.LazyLinear(1))
X = torch.rand(size=(2, 4))
net(X).shape


def init_constant(module):
    if type(module) == nn.LazyLinear:
        nn.init.constant_(module.weight, 1)
        nn.init.zeros_(module.bias)


net.apply(init_constant)  # asked: TL416
print(net[0].weight.data[0], net[0].bias.data[0])
