import torch
import torch.nn as nn
import torch.optim as optim
from torchvision import models


def load_model(num_classes):
    net = models.resnet18(weights=None)
    net.fc = nn.Linear(net.fc.in_features, num_classes)
    for param in net.parameters():
        param.requires_grad = False
    return net


def train():
    model = load_model(4)
    model.train()
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=1e-3)  # asked: TL211
    for step in range(3):
        images, labels = torch.randn(4, 3, 64, 64), torch.randint(0, 4, (4,))
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    train()
