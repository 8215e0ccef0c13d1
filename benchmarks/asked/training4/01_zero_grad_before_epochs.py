import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Mlp(nn.Module):
    def __init__(self, width=64):
        super(Mlp, self).__init__()
        self.features = nn.Sequential(nn.Linear(20, width), nn.ReLU())
        self.out = nn.Linear(width, 10)

    def forward(self, x):
        return self.out(self.features(x))


def correlation_penalty(h, y):
    means = torch.stack([h[y == c].mean(0) for c in y.unique()])
    return (means - h.mean(0)).pow(2).mean()


def train(epoch, net, trainloader, optimizer, criterion, beta):
    net.train()
    train_loss, total = 0.0, 0
    for batch_idx, (inputs, targets) in enumerate(trainloader):
        h = net.features(inputs)
        loss = criterion(net.out(h), targets) + beta * correlation_penalty(h, targets)
        loss.backward()  # asked: TL201
        nn.utils.clip_grad_norm_(net.parameters(), 0.25)
        optimizer.step()
        train_loss += loss.item() * len(targets)
        total += len(targets)
    print(epoch, train_loss / total)


def main():
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(256, 20), torch.randint(0, 10, (256,)))
    trainloader = DataLoader(data, batch_size=32, shuffle=True)
    net = Mlp()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    optimizer.zero_grad()
    for epoch in range(4):
        train(epoch, net, trainloader, optimizer, criterion, beta=0.1)


if __name__ == "__main__":
    main()
