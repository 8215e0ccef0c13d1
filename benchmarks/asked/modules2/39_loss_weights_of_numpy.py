import numpy as np
import torch
import torch.nn as nn


class GTSRB:
    num_classes = 4

    def __init__(self):
        self.targets = np.random.randint(0, self.num_classes, 200)
        self.loss_weights = self.get_loss_weights()

    def get_loss_weights(self):
        _, counts = np.unique(self.targets, return_counts=True)
        return counts.sum() / (counts * self.num_classes)


class ImageModel:
    def __init__(self, dataset):
        self.dataset = dataset
        self._model = nn.Linear(10, dataset.num_classes)
        loss_weights = dataset.loss_weights
        loss_weights = torch.from_numpy(loss_weights)
        self.criterion = nn.CrossEntropyLoss(weight=loss_weights)

    def train(self, epochs, lr=0.1):
        optimizer = torch.optim.SGD(self._model.parameters(), lr=lr)
        for epoch in range(epochs):
            x, y = torch.randn(16, 10), torch.randint(0, 4, (16,))
            loss = self.criterion(self._model(x), y)  # asked: TL506
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    ImageModel(GTSRB()).train(2)
