import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset


class FacialKeypointsDataset(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, idx):
        return {"image": torch.rand(1, 224, 224), "keypoints": torch.rand(68, 2)}


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 8, 5)
        self.pool = nn.MaxPool2d(8, 8)
        self.fc1 = nn.Linear(8 * 27 * 27, 136)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = x.view(x.size(0), -1)
        return self.fc1(x)


train_loader = DataLoader(FacialKeypointsDataset(40), batch_size=10, shuffle=True, num_workers=0)
net = Net()
criterion = nn.SmoothL1Loss()
optimizer = optim.Adam(net.parameters(), lr=0.001)


def train_net(n_epochs):
    net.train()
    for epoch in range(n_epochs):
        running_loss = 0.0
        for batch_i, data in enumerate(train_loader):
            images = data["image"]
            key_pts = data["keypoints"]
            key_pts = key_pts.view(key_pts.size(0), -1)
            output_pts = net(images)
            loss = criterion(output_pts, key_pts)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running_loss += loss.item()
        print("Epoch: {}, Avg. Loss: {}".format(epoch + 1, running_loss / len(train_loader)))


train_net(1)
