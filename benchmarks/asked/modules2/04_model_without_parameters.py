import torch


class Scale(torch.nn.Module):
    def forward(self, x):
        return x * 2.0


model = Scale()
optim = torch.optim.Adam(model.parameters())  # asked: TL211
x = torch.randn(10, 1)
for _ in range(5):
    loss = (model(x) - 3 * x).pow(2).mean()
    optim.zero_grad()
    loss.backward()
    optim.step()
