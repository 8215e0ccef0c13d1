import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self, classes=1000):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.fc = nn.Linear(8, classes)

    def forward(self, x):
        return self.fc(self.features(x).flatten(1))


class Finetuner:
    def __init__(self, num_classes, lr):
        self.model = Backbone()
        self.criterion = nn.CrossEntropyLoss()
        self.set_classes(num_classes)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)

    def set_classes(self, num_classes):
        self.model.fc = nn.Linear(self.model.fc.in_features, num_classes)

    def train(self, loader, epochs):
        self.model.train()
        for epoch in range(epochs):
            for images, labels in loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(images), labels)
                loss.backward()
                self.optimizer.step()
            print(epoch, loss.item())


data = TensorDataset(torch.randn(16, 3, 8, 8), torch.randint(0, 3, (16,)))
Finetuner(3, 1e-3).train(DataLoader(data, batch_size=4, shuffle=True), 2)
