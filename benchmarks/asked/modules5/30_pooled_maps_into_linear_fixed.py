import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Sequential(
            nn.Conv2d(in_channels=1, out_channels=16, kernel_size=3, stride=1, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(kernel_size=2),
        )
        self.conv2 = nn.Sequential(nn.Conv2d(16, 32, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2))
        self.conv3 = nn.Sequential(nn.Conv2d(32, 64, 2, 1, 1), nn.ReLU(), nn.MaxPool2d(2))
        self.dense = nn.Sequential(nn.Flatten(), nn.Linear(576, 128), nn.ReLU(), nn.Linear(128, 4))

    def forward(self, x):
        x = self.conv1(x)
        x = self.conv2(x)
        x = self.conv3(x)
        output = self.dense(x)
        return output


def main():
    data = TensorDataset(torch.randn(60, 1, 24, 24), torch.randint(4, (60,)))
    train_loader = DataLoader(data, batch_size=30, shuffle=True)
    cnn = CNN()
    optimizer = torch.optim.Adam(cnn.parameters(), lr=0.001)
    loss_func = nn.CrossEntropyLoss()
    for epoch in range(2):
        for step, (b_x, b_y) in enumerate(train_loader):
            loss = loss_func(cnn(b_x), b_y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(epoch, step, loss.item())


if __name__ == "__main__":
    main()
