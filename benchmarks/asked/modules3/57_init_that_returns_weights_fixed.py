import numpy as np
import torch
import torch.nn as nn


def random_weight(shape):
    fan_in = shape[1] if len(shape) == 2 else np.prod(shape[1:])
    return torch.randn(shape) * np.sqrt(2.0 / fan_in)


def init_weights(m):
    if type(m) == nn.Linear:
        m.weight.data.copy_(random_weight(m.weight.size()))


class Flatten(nn.Module):
    def forward(self, x):
        return x.view(x.shape[0], -1)


model = nn.Sequential(Flatten(), nn.Linear(3 * 32 * 32, 100), nn.ReLU(), nn.Linear(100, 10))
model.apply(init_weights)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9, nesterov=True)
for step in range(5):
    x, y = torch.randn(16, 3, 32, 32), torch.randint(0, 10, (16,))
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
