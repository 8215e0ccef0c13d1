import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

result = []


class Network(nn.Module):
    def __init__(self):
        super(Network, self).__init__()
        self.conv1 = nn.Sequential(
            nn.Conv2d(in_channels=9, out_channels=16, kernel_size=(1, 9)),
            nn.ReLU(),
            nn.MaxPool2d(kernel_size=(1, 2), stride=2),
        )
        self.fc1 = nn.Sequential(nn.Linear(16 * 12, 32), nn.ReLU())
        self.fc2 = nn.Linear(32, 6)

    def forward(self, x):
        out = self.conv1(x)
        out = out.reshape(-1, 16 * 12)
        out = self.fc1(out)
        out = self.fc2(out)
        out = F.softmax(out, dim=1)
        return out


def train(model, optimizer, train_loader, test_loader, n_epoch):
    n_batch = len(train_loader.dataset) // 16
    criterion = nn.CrossEntropyLoss()
    for e in range(n_epoch):
        model.train()
        correct, total_loss = 0, 0
        total = 0
        for index, (sample, target) in enumerate(train_loader):
            sample, target = sample.float(), target.long()
            sample = sample.view(-1, 9, 1, 32)
            output = model(sample)
            loss = criterion(output, target)  # asked: TL301
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total_loss += loss.item()
            _, predicted = torch.max(output.data, 1)
            total += target.size(0)
            correct += (predicted == target).sum()
        print(e, total_loss / n_batch, float(correct) * 100.0 / total)


def main():
    data = TensorDataset(torch.randn(64, 9, 32), torch.randint(0, 6, (64,)))
    loader = DataLoader(data, batch_size=16, shuffle=True)
    model = Network()
    optimizer = optim.SGD(params=model.parameters(), lr=0.01, momentum=0.9)
    train(model, optimizer, loader, None, 2)


if __name__ == "__main__":
    main()
