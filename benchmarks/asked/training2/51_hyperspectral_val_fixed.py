import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Baseline(nn.Module):
    def __init__(self, bands, n_classes, dropout=True):
        super().__init__()
        self.use_dropout = dropout
        if dropout:
            self.dropout = nn.Dropout(p=0.5)
        self.fc1 = nn.Linear(bands, 64)
        self.fc2 = nn.Linear(64, 64)
        self.fc3 = nn.Linear(64, n_classes)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        if self.use_dropout:
            x = self.dropout(x)
        x = F.relu(self.fc2(x))
        if self.use_dropout:
            x = self.dropout(x)
        return self.fc3(x)


def get_model(name, **kwargs):
    if name == "nn":
        model = Baseline(kwargs["n_bands"], kwargs["n_classes"], kwargs.setdefault("dropout", True))
        lr = kwargs.setdefault("learning_rate", 0.0001)
        optimizer = optim.Adam(model.parameters(), lr=lr)
        criterion = nn.CrossEntropyLoss()
    else:
        raise KeyError("{} model is unknown.".format(name))
    return model, optimizer, criterion


def train(net, optimizer, criterion, data_loader, epoch, val_loader=None, device=torch.device("cpu")):
    net.to(device)
    losses, accuracies = [], []
    for e in range(1, epoch + 1):
        net.train()
        avg_loss = 0.0
        for batch_idx, (data, target) in enumerate(data_loader):
            data, target = data.to(device), target.to(device)
            optimizer.zero_grad()
            loss = criterion(net(data), target)
            loss.backward()
            optimizer.step()
            avg_loss += loss.item()
        losses.append(avg_loss / len(data_loader))
        if val_loader is not None:
            accuracies.append(val(net, val_loader, device=device))
    return losses, accuracies


def val(net, data_loader, device="cpu"):
    accuracy, total = 0.0, 0.0
    net.eval()
    for batch_idx, (data, target) in enumerate(data_loader):
        with torch.no_grad():
            data, target = data.to(device), target.to(device)
            output = net(data)
            _, output = torch.max(output, dim=1)
            for out, pred in zip(output.view(-1), target.view(-1)):
                accuracy += out.item() == pred.item()
                total += 1
    return accuracy / total


if __name__ == "__main__":
    loader = [(torch.randn(8, 20), torch.randint(0, 5, (8,))) for _ in range(3)]
    model, optimizer, loss = get_model("nn", n_bands=20, n_classes=5)
    print(train(model, optimizer, loss, loader, 2, val_loader=loader))
