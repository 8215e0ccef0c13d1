import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class DoubleConv(nn.Sequential):
    def __init__(self, inputs, outputs):
        super().__init__(
            nn.Conv3d(inputs, outputs, 3, padding=1),
            nn.BatchNorm3d(outputs),
            nn.ReLU(),
            nn.Conv3d(outputs, outputs, 3, padding=1),
            nn.BatchNorm3d(outputs),
            nn.ReLU(),
        )


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = DoubleConv(1, 4)
        self.up = DoubleConv(4, 4)
        self.final = nn.Conv3d(4, 1, 1)

    def forward(self, x):
        return self.final(self.up(self.down(x)))


class UNetTrainer:
    def __init__(self, model, optimizer, loss_criterion, loaders, max_num_epochs=2, validate_after_iters=4):
        self.model = model
        self.optimizer = optimizer
        self.loss_criterion = loss_criterion
        self.loaders = loaders
        self.max_num_epochs = max_num_epochs
        self.validate_after_iters = validate_after_iters
        self.num_iterations = 1

    def fit(self):
        for _ in range(self.max_num_epochs):
            self.train(self.loaders["train"])

    def train(self, train_loader):
        self.model.train()
        for input, target in train_loader:
            output, loss = self._forward_pass(input, target)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if self.num_iterations % self.validate_after_iters == 0:
                score = self.validate(self.loaders["val"])
                print(self.num_iterations, score)
            self.num_iterations += 1

    def validate(self, val_loader):
        total = 0.0
        with torch.no_grad():
            for input, target in val_loader:
                output, loss = self._forward_pass(input, target)
                total += loss.item()
        return total / len(val_loader)

    def _forward_pass(self, input, target):
        output = self.model(input)  # asked: TL208
        loss = self.loss_criterion(output, target)
        return output, loss


if __name__ == "__main__":
    data = TensorDataset(torch.randn(8, 1, 4, 4, 4), torch.randint(0, 2, (8, 1, 4, 4, 4)).float())
    loaders = {"train": DataLoader(data, batch_size=2, shuffle=True), "val": DataLoader(data, batch_size=2)}
    model = UNet()
    trainer = UNetTrainer(model, torch.optim.Adam(model.parameters()), nn.BCEWithLogitsLoss(), loaders)
    trainer.fit()
