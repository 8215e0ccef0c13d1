import torch
import torch.nn as nn
import torch.nn.functional as F


class RoundQuant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, n_lvs):
        return input.mul(n_lvs - 1).round_().div_(n_lvs - 1)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None


class QConv2d(nn.Conv2d):
    def __init__(self, *args, bits=(2, 4, 8), **kwargs):
        super(QConv2d, self).__init__(*args, **kwargs)
        self.register_buffer("bits", torch.tensor(bits, dtype=torch.float32))
        self.register_buffer("n_lvs", 2.0 ** self.bits)
        self.theta = nn.Parameter(torch.ones(len(bits)) / len(bits))

    def forward(self, x):
        strength = F.softmax(self.theta, dim=0)
        n_lvs = torch.sum(strength * self.n_lvs).detach()
        weight = torch.tanh(self.weight)
        weight = RoundQuant.apply(weight, n_lvs)
        return F.conv2d(x, weight, self.bias, self.stride, self.padding)


def main():
    model = nn.Sequential(QConv2d(3, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4))
    if torch.cuda.is_available():
        model = torch.nn.DataParallel(model).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        x, y = torch.randn(4, 3, 8, 8), torch.randint(0, 4, (4,))
        if torch.cuda.is_available():
            x, y = x.cuda(), y.cuda()
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
