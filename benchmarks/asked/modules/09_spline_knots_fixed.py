import torch
import torch.nn as nn
import torch.nn.functional as F


class SplineLayer(nn.Module):
    def __init__(self, n_in, n_out, num_knots=5, degree=3):
        super(SplineLayer, self).__init__()
        self.degree = degree
        self.num_knots = num_knots
        self.register_buffer("knots", torch.linspace(-1, 1, num_knots + 2 * degree))
        self.coefficients = nn.Parameter(torch.randn(n_out, n_in, num_knots + degree - 1) * 0.1)
        self.base = nn.Linear(n_in, n_out)

    def _splines(self, x):
        x = x.unsqueeze(-1)
        basis = ((x >= self.knots[:-1]) & (x < self.knots[1:])).to(x.dtype)
        for k in range(1, self.degree + 1):
            left = (x - self.knots[: -(k + 1)]) / (self.knots[k:-1] - self.knots[: -(k + 1)])
            right = (self.knots[k + 1 :] - x) / (self.knots[k + 1 :] - self.knots[1:-k])
            basis = left * basis[..., :-1] + right * basis[..., 1:]
        return basis

    def forward(self, x):
        return self.base(F.silu(x)) + torch.einsum("bik,oik->bo", self._splines(x), self.coefficients)


class SplineNet(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([SplineLayer(a, b) for a, b in zip(sizes[:-1], sizes[1:])])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


device = "cuda" if torch.cuda.is_available() else "cpu"
model = SplineNet([2, 5, 1]).to(device)
print(model(torch.rand(4, 2).to(device)))
