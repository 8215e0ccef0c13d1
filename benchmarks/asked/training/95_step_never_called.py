import torch
import torch.nn as nn


class Regressor:
    def __init__(self, n_features, nb_epoch=5):
        self.net = nn.Sequential(nn.Linear(n_features, 20), nn.ReLU(), nn.Linear(20, 1))
        self.nb_epoch = nb_epoch
        self.optimiser = torch.optim.Adam(self.net.parameters(), lr=0.01)
        self.loss_fn = nn.MSELoss()

    def _preprocessor(self, x, y=None):
        x = (x - x.mean(0)) / (x.std(0) + 1e-8)
        return x, y

    def fit(self, x, y):
        X, Y = self._preprocessor(x, y)
        for epoch in range(self.nb_epoch):
            permutation = torch.randperm(X.size(0))
            for i in range(0, X.size(0), 16):
                indices = permutation[i:i + 16]
                batch_x, batch_y = X[indices], Y[indices]
                self.optimiser.zero_grad()
                output = self.net(batch_x)
                loss = self.loss_fn(output, batch_y)
                loss.backward()  # asked: TL202
        return self

    def predict(self, x):
        X, _ = self._preprocessor(x)
        self.net.eval()
        with torch.no_grad():
            return self.net(X).numpy()


regressor = Regressor(5)
regressor.fit(torch.randn(64, 5), torch.randn(64, 1))
print(regressor.predict(torch.randn(3, 5)))
