import copy

import torch
from torch import nn


def deactivate_requires_grad(model):
    for param in model.parameters():
        param.requires_grad = False


def update_momentum(model, model_ema, m):
    for ema, p in zip(model_ema.parameters(), model.parameters()):
        ema.data = ema.data * m + p.data * (1.0 - m)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(32)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(x))).mean((2, 3))


class LinearClassifier(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        deactivate_requires_grad(backbone)
        self.fc = nn.Linear(32, 10)

    def forward(self, x):
        return self.fc(self.backbone(x))


def fit(model, loader, epochs=2):
    optimizer = torch.optim.SGD(model.fc.parameters(), lr=0.3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()  # asked: TL226
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    fit(LinearClassifier(Backbone()), [(torch.randn(4, 3, 16, 16), torch.randint(0, 10, (4,))) for _ in range(3)])
