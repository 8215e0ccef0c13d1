import torch
import numpy as np


class Net(torch.nn.Module):
    def __init__(self, input_dim, output_dim):
        super(Net, self).__init__()
        self.layer1 = torch.nn.Linear(input_dim, output_dim, bias=False)

    def forward(self, x):
        x = self.layer1(x)
        x = x.squeeze(1)
        return x


sample_size = 2000
input_dim = 2
output_dim = 1
epoch = 3
bs = 100

data = np.random.randn(sample_size, 3)
data[:, :2] = data[:, :2] * 100
data[:, 2] = 5 * data[:, 0] + 3 * data[:, 1] + np.random.randn(sample_size)
data = torch.Tensor(data)
train_x = data[:, :input_dim]
train_y = data[:, input_dim]

net = Net(input_dim, output_dim)
criterion = torch.nn.MSELoss()
optimizer = torch.optim.RMSprop(net.parameters(), lr=0.01)

for i in range(epoch):
    np.random.shuffle(data.numpy())
    for begin in range(0, sample_size, bs):
        xs = train_x[begin : begin + bs]
        ys = train_y[begin : begin + bs]
        optimizer.zero_grad()
        output = net(xs)
        loss = criterion(output, ys)
        loss.backward()
        optimizer.step()
    print("epoch", i, "loss", loss.item())
