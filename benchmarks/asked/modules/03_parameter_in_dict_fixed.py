import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterDict()
        self.weights["scale"] = nn.Parameter(torch.Tensor(3, 3).normal_())
        self.shift = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        return x @ self.weights["scale"] + self.shift


m = Gate()
for name, p in m.named_parameters():
    print(name, p.size())
print(m(torch.randn(2, 3)))
