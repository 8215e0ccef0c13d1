import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(3, 64, 5)
        self.pool = nn.MaxPool2d(2, 2)
        self.conv2 = nn.Conv2d(64, 128, 5)
        self.fc1 = nn.Linear(128 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = x.view(-1, 128 * 5 * 5)
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        x = self.fc3(x)
        return x


class FullLayer(nn.Module):
    def __init__(self, feature_num, class_num):
        super().__init__()
        self.fc = nn.Linear(feature_num, class_num)

    def forward(self, x):
        return self.fc(x)


class AugmentedLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.cross_entropy = nn.CrossEntropyLoss()

    def forward(self, model, fc, x, target):
        features = model(x)
        y = fc(features)  # asked: TL701
        return self.cross_entropy(y, target), y


net = Net()
fc = FullLayer(84, 10)
criterion = AugmentedLoss()
optimizer = torch.optim.SGD([{"params": net.parameters()}, {"params": fc.parameters()}], lr=0.1, momentum=0.9)
for step in range(3):
    x, target = torch.randn(4, 3, 32, 32), torch.randint(0, 10, (4,))
    loss, output = criterion(net, fc, x, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
