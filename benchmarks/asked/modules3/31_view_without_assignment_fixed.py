import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):

  def __init__(self):
    super(Net, self).__init__()
    self.conv1 = nn.Conv2d(1, 6, 3)
    self.conv2 = nn.Conv2d(6, 16, 3)
    self.fc1 = nn.Linear(16 * 6 * 6, 120)
    self.fc2 = nn.Linear(120, 10)

  def forward(self, x):
    x = F.max_pool2d(torch.sigmoid(self.conv1(x)), (2, 2))
    x = F.max_pool2d(torch.sigmoid(self.conv2(x)), 2)
    x = x.view(-1, self.num_flat(x))
    x = torch.sigmoid(self.fc1(x))
    x = self.fc2(x)
    return x

  def num_flat(self, x):
    size = x.size()[1:]
    num = 1
    for s in size:
      num *= s
    return num


net = Net()
print(net)
print(net(torch.randn(1, 1, 32, 32)))
