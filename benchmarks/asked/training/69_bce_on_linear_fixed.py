import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset


class TitanicDataset(Dataset):
    def __init__(self, n=40):
        self.x = torch.randn(n, 7)
        self.y = torch.randint(0, 2, (n,)).float()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class BinaryClassifier(nn.Module):
    def __init__(self, input_features, hidden, output=1):
        super().__init__()
        self.hidden = nn.Linear(input_features, hidden)
        self.out = nn.Linear(hidden, output)
        self.relu = nn.ReLU()

    def forward(self, x):
        x = self.relu(self.hidden(x))
        x = self.out(x)
        return torch.sigmoid(x)


def train(model, loader, criterion, optimizer, n_epochs=2):
    for epoch in range(n_epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            y_pred = model(x)
            loss = criterion(y_pred, y.unsqueeze(1))
            loss.backward()
            optimizer.step()


model = BinaryClassifier(7, 16)
criterion = nn.BCELoss()
optimizer = optim.Adam(model.parameters(), lr=0.001)
train(model, DataLoader(TitanicDataset(), batch_size=8, shuffle=True), criterion, optimizer)
