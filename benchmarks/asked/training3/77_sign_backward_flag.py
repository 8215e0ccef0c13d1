import torch
import torch.nn as nn
from torch.autograd import Function


class Sign(Function):
    @staticmethod
    def forward(ctx, input, is_training=True):
        if is_training:
            prob = input.new(input.size()).uniform_()
            x = input.clone()
            x[(1 - input) / 2 <= prob] = 1
            x[(1 - input) / 2 > prob] = -1
            return x
        return input.sign()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output  # asked: TL109


class Binarizer(nn.Module):
    def __init__(self):
        super(Binarizer, self).__init__()
        self.conv = nn.Conv2d(16, 8, kernel_size=1, bias=False)

    def forward(self, input):
        x = torch.tanh(self.conv(input))
        return Sign.apply(x, self.training)


binarizer = Binarizer()
decoder = nn.Conv2d(8, 3, 1)
solver = torch.optim.Adam([*binarizer.parameters(), *decoder.parameters()], lr=5e-4)
for _ in range(2):
    solver.zero_grad()
    loss = decoder(binarizer(torch.randn(2, 16, 4, 4))).abs().mean()
    loss.backward()
    solver.step()
    print(loss.item())
