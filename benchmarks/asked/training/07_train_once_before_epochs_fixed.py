import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

BATCHSIZE = 16
CLASSES = 3
EPOCHS = 3


def define_model(n_layers, dropout):
    layers = []
    in_features = 12
    for i in range(n_layers):
        layers.append(nn.Linear(in_features, 32))
        layers.append(nn.ReLU())
        layers.append(nn.Dropout(dropout))
        in_features = 32
    layers.append(nn.Linear(in_features, CLASSES))
    layers.append(nn.LogSoftmax(dim=1))
    return nn.Sequential(*layers)


def objective(n_layers, dropout, lr):
    model = define_model(n_layers, dropout)
    optimizer = optim.RMSprop(model.parameters(), lr=lr)
    data = TensorDataset(torch.randn(96, 12), torch.randint(0, CLASSES, (96,)))
    train_loader = DataLoader(data, batch_size=BATCHSIZE, shuffle=True)
    valid_loader = DataLoader(data, batch_size=BATCHSIZE)

    for epoch in range(EPOCHS):
        model.train()
        for batch_idx, (data, target) in enumerate(train_loader):
            data = data.view(data.size(0), -1)
            optimizer.zero_grad()
            output = model(data)
            loss = F.nll_loss(output, target)
            loss.backward()
            optimizer.step()

        model.eval()
        correct = 0
        with torch.no_grad():
            for batch_idx, (data, target) in enumerate(valid_loader):
                output = model(data.view(data.size(0), -1))
                pred = output.argmax(dim=1, keepdim=True)
                correct += pred.eq(target.view_as(pred)).sum().item()
        accuracy = correct / len(valid_loader.dataset)
        print(epoch, accuracy)
    return accuracy


if __name__ == "__main__":
    best = max(objective(n, d, 1e-3) for n in (1, 2) for d in (0.2, 0.4))
    print(best)
