import torch
from torch import nn, optim


class Parsing(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool2d(4)
        self.cls = nn.Sequential(nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 12))

    def forward(self, x):
        return self.cls(self.pool(self.model(x)).flatten(1))


def get_optimizer(net, lr):
    training_params = filter(lambda p: p.requires_grad, net.parameters())
    return optim.SGD(training_params, lr=lr, momentum=0.9)


def train(net, data_loader, loss_fn, optimizer, epoch):
    net.train()
    for img, label in data_loader:
        loss = loss_fn(net(img), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    net = Parsing()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    finetune = True
    if finetune:
        for param in net.model.parameters():
            param.requires_grad = False
    loader = [(torch.randn(2, 3, 32, 32), torch.randint(0, 12, (2,))) for _ in range(2)]
    for epoch in range(2):
        train(net, loader, nn.CrossEntropyLoss(), optimizer, epoch)
