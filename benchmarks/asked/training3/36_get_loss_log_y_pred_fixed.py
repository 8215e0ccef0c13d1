import torch
from torch import nn


class ClassifierModule(nn.Module):
    def __init__(self, input_dim=784, hidden_dim=98, output_dim=10, dropout=0.5):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.hidden = nn.Linear(input_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, output_dim)

    def forward(self, X):
        X = torch.relu(self.hidden(X))
        X = self.dropout(X)
        return torch.softmax(self.output(X), dim=-1)


class NeuralNetClassifier:
    def __init__(self, module, criterion=nn.NLLLoss, lr=0.1, max_epochs=2):
        self.module_ = module()
        self.criterion_ = criterion()
        self.optimizer_ = torch.optim.Adam(self.module_.parameters(), lr=lr)
        self.max_epochs = max_epochs

    def get_loss(self, y_pred, y_true):
        if isinstance(self.criterion_, torch.nn.NLLLoss):
            y_pred = torch.log(y_pred + 1e-8)
        return self.criterion_(y_pred, y_true)

    def train_step(self, Xi, yi):
        self.module_.train()
        self.optimizer_.zero_grad()
        y_pred = self.module_(Xi)
        loss = self.get_loss(y_pred, yi)
        loss.backward()
        self.optimizer_.step()
        return loss.item()

    def fit(self, X, y):
        for _ in range(self.max_epochs):
            for i in range(0, len(X), 32):
                print(self.train_step(X[i : i + 32], y[i : i + 32]))
        return self


NeuralNetClassifier(ClassifierModule).fit(50 * torch.randn(128, 784), torch.randint(0, 10, (128,)))
