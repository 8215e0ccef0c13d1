import torch
import torch.nn as nn


class VGG(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(2))
        self.classifier = nn.Linear(32, classes)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def get_model(classes, freeze=True):
    net = VGG(10)
    if freeze:
        net.features.requires_grad = False  # asked: TL117
    net.classifier = nn.Linear(32, classes)
    return net


net = get_model(3)
optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.01)
for _ in range(2):
    loss = nn.functional.cross_entropy(net(torch.randn(4, 3, 8, 8)), torch.randint(0, 3, (4,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
