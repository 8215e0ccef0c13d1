import numpy as np
import torch
from torch import nn, optim


class DARNN(nn.Module):
    def __init__(self, X, y, T=10, num_hidden=16, batch_size=8, learning_rate=0.01, epochs=2):
        super(DARNN, self).__init__()
        self.X, self.y, self.T = X, y, T
        self.batch_size = batch_size
        self.epochs = epochs
        self.encoder = nn.LSTM(X.shape[1], num_hidden, batch_first=True)
        self.decoder = nn.Linear(num_hidden, 1)
        self.criterion = nn.MSELoss()
        self.optimizer = optim.Adam(self.parameters(), lr=learning_rate)

    def forward(self, x):
        _, (hidden, _) = self.encoder(x)
        return self.decoder(hidden[-1])

    def batches(self):
        starts = np.random.permutation(len(self.X) - self.T)
        for i in range(0, len(starts), self.batch_size):
            idx = starts[i : i + self.batch_size]
            yield torch.stack([self.X[j : j + self.T] for j in idx]), self.y[idx + self.T].unsqueeze(1)

    def fit(self):
        for epoch in range(self.epochs):
            for x, y in self.batches():
                self.optimizer.zero_grad()
                loss = self.criterion(self(x), y)
                loss.backward()
                self.optimizer.step()

    def predict(self):
        self.eval()
        with torch.no_grad():
            return torch.cat([self(x) for x, _ in self.batches()])


if __name__ == "__main__":
    model = DARNN(torch.randn(60, 4), torch.randn(60))
    model.fit()
    print(model.predict().shape)
