import torch
from torch import nn, optim, sigmoid
from torch.utils.data import DataLoader, TensorDataset


class AdultNet(nn.Module):
    def __init__(self, input_size=14, hidden_size=64, num_classes=1):
        super().__init__()
        self.fc1 = nn.Linear(input_size, hidden_size)
        self.relu = nn.ReLU()
        self.fc2 = nn.Linear(hidden_size, num_classes)

    def forward(self, x):
        return self.fc2(self.relu(self.fc1(x)))


class AdultInputHandler:
    def __init__(self, configs):
        self.configs = configs

    def get_criterion(self):
        return nn.BCEWithLogitsLoss()

    def get_optimizer(self, model):
        return optim.SGD(model.parameters(), lr=self.configs["lr"])

    def train(self, dataloader, model, criterion, optimizer, epochs):
        dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        model.to(dev)
        model.train()
        for epoch in range(epochs):
            train_acc, train_loss = 0.0, 0.0
            for data, target in dataloader:
                target = target.float().unsqueeze(1)
                data, target = data.to(dev), target.to(dev)
                optimizer.zero_grad()
                output = model(data)
                loss = criterion(output, target)
                pred = sigmoid(output) >= 0.5
                train_acc += pred.eq(target).sum().item()
                loss.backward()
                optimizer.step()
                train_loss += loss.item()
            print(epoch, train_acc / len(dataloader.dataset), train_loss / len(dataloader))
        return model


if __name__ == "__main__":
    handler = AdultInputHandler({"lr": 0.1})
    model = AdultNet()
    loader = DataLoader(TensorDataset(torch.randn(64, 14), torch.randint(0, 2, (64,))), batch_size=16)
    handler.train(loader, model, handler.get_criterion(), handler.get_optimizer(model), 2)
