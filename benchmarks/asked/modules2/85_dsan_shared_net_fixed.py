import torch
import torch.nn as nn
import torch.nn.functional as F


class DSAN(nn.Module):
    def __init__(self, num_classes=31, bottle_neck=True):
        super(DSAN, self).__init__()
        self.feature_layers = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        if bottle_neck:
            self.bottle = nn.Linear(16, 8)
            self.cls_fc = nn.Linear(8, num_classes)
        else:
            self.cls_fc = nn.Linear(16, num_classes)

    def forward(self, source):
        source = self.feature_layers(source)
        source = self.bottle(source)
        return self.cls_fc(source)


def train_epoch(model, batches, optimizer):
    model.train()
    for data, label in batches:
        optimizer.zero_grad()
        loss = F.nll_loss(F.log_softmax(model(data), dim=1), label)
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    model = DSAN(num_classes=5)
    optimizer = torch.optim.SGD([
        {"params": model.feature_layers.parameters()},
        {"params": model.bottle.parameters(), "lr": 0.1},
        {"params": model.cls_fc.parameters(), "lr": 0.1},
    ], lr=0.01, momentum=0.9)
    train_epoch(model, [(torch.randn(2, 3, 8, 8), torch.randint(0, 5, (2,)))], optimizer)
