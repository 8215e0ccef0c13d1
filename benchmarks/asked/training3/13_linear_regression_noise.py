import torch
import torch.nn as nn

sample_size = 100
x = torch.randn((sample_size, 2))
eps = torch.randn(sample_size)
y = 4 + 3 * x[:, 0] - 5 * x[:, 1] + eps
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss_func = nn.MSELoss()
for epoch in range(30):
    optimizer.zero_grad()
    yhat = model(x)
    loss_val = loss_func(yhat, y)  # asked: TL311
    loss_val.backward()
    optimizer.step()
    print(loss_val.item())

print(model.weight.data)
print(model.bias.data)
