import torch
import torch.nn as nn


class PINN(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.activation = nn.Tanh()
        self.linears = nn.ModuleList([nn.Linear(layers[i], layers[i + 1]) for i in range(len(layers) - 1)])

    def forward(self, x):
        for linear in self.linears[:-1]:
            x = self.activation(linear(x))
        return self.linears[-1](x)

    def loss(self, x):
        x.requires_grad = True
        u = self.forward(x)
        u_x = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
        return ((u_x - torch.cos(x)) ** 2).mean()


model = PINN([1, 20, 20, 1])
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.1, max_iter=20)
x = torch.linspace(0, 6, 40).view(-1, 1)
for i in range(5):
    def closure():
        optimizer.zero_grad()
        loss = model.loss(x)
        loss.backward()
        return loss

    loss = optimizer.step(closure)
    print(i, loss.item())
