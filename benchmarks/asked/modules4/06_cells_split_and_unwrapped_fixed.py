import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class MyDataSet(Dataset):
    def __init__(self, exp, label):
        self.exp = torch.from_numpy(exp).float()
        self.label = torch.from_numpy(label)

    def __getitem__(self, index):
        return self.exp[index], self.label[index]

    def __len__(self):
        return len(self.label)


def splitDataSet(exp, label, tr_ratio=0.7):
    dataset = MyDataSet(exp, label)
    train_size = int(len(dataset) * tr_ratio)
    train_dataset, valid_dataset = torch.utils.data.random_split(dataset, [train_size, len(dataset) - train_size])
    return train_dataset, valid_dataset


def fit_model(exp, label, epochs=2):
    train_dataset, valid_dataset = splitDataSet(exp, label)
    train_loader = DataLoader(train_dataset, batch_size=8, shuffle=True, drop_last=True)
    val_loader = DataLoader(valid_dataset, batch_size=8, shuffle=False)
    model = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001, momentum=0.9)
    loss_function = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        for cells, labels in train_loader:
            loss = loss_function(model(cells), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        right = 0
        with torch.no_grad():
            for cells, labels in val_loader:
                right += (model(cells).argmax(1) == labels).sum().item()
        print(epoch, loss.item(), right / len(val_loader.dataset))


if __name__ == "__main__":
    fit_model(np.random.rand(100, 30), np.random.randint(0, 4, 100))
