import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3), nn.BatchNorm2d(width), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool2d(1)

    def forward(self, x):
        return self.pool(self.stem(x)).flatten(1)


class LinearProbe(nn.Module):
    def __init__(self, backbone, num_classes=10):
        super().__init__()
        self.model = backbone
        self.head = nn.Linear(16, num_classes)
        self.model.requires_grad_(False)

    def train(self, mode=True):
        self.training = mode
        self.model.train(False)
        self.head.train(mode)
        return self

    def forward(self, x, target=None):
        logits = self.head(self.model(x))
        if self.training:
            return nn.functional.cross_entropy(logits, target)
        return logits


def main_worker(epochs=2):
    model = LinearProbe(Backbone())
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    for epoch in range(epochs):
        model.train()
        for _ in range(3):
            x, y = torch.randn(4, 3, 8, 8), torch.randint(0, 10, (4,))
            loss = model(x, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main_worker()
