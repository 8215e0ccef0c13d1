import torch
import torch.nn as nn
from torchvision import datasets, transforms


def conv3x3(a, b, stride=1):
    return nn.Sequential(nn.Conv2d(a, b, 3, stride=stride, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))


class SmallResNet(nn.Module):
    def __init__(self, num_classes=42):
        super().__init__()
        self.stem = conv3x3(3, 16)
        self.layer1 = conv3x3(16, 16)
        self.layer2 = conv3x3(16, 32, stride=2)
        self.layer3 = conv3x3(32, 64, stride=2)
        self.avgpool = nn.AvgPool2d(16, stride=1)
        self.fc = nn.Linear(64, num_classes)

    def forward(self, x):
        x = self.layer3(self.layer2(self.layer1(self.stem(x))))
        x = self.avgpool(x)
        x = x.view(x.size(0), -1)
        return self.fc(x)


def main():
    transform = transforms.Compose([transforms.Resize((64, 64)), transforms.ToTensor(), transforms.Normalize((0.5,) * 3, (0.5,) * 3)])
    train_set = datasets.ImageFolder("signs/train", transform=transform)
    train_loader = torch.utils.data.DataLoader(train_set, batch_size=128, shuffle=True)
    model = SmallResNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for inputs, target in train_loader:
        output = model(inputs)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
