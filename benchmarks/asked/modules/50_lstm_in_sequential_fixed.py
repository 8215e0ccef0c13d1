import torch
import torch.nn as nn

class First(nn.Module):
    def forward(self, outputs):
        return outputs[0]


model = nn.Sequential(
    nn.LSTM(10, 20, 2),
    First(),
    nn.Linear(20, 2),
)

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(5, 3, 10)
y = model(x)
loss = y.pow(2).mean()
loss.backward()
optimizer.step()
