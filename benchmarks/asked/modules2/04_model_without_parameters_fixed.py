import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = torch.nn.Parameter(torch.ones(()))
    def forward(self, x):
        return x * self.factor


model = Scale()
optim = torch.optim.Adam(model.parameters())
x = torch.randn(10, 1)
for _ in range(5):
    loss = (model(x) - 3 * x).pow(2).mean()
    optim.zero_grad()
    loss.backward()
    optim.step()
