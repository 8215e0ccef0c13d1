import torch
import torch.nn as nn


class FKRR(nn.Module):
    def __init__(self, kernel_fn, centers, y_dim, device="cpu"):
        super(FKRR, self).__init__()
        self.kernel_fn = kernel_fn
        self.n_centers, self.x_dim = centers.shape
        self.device = device
        self.centers = self.tensor(centers, release=True)
        self.weight = self.tensor(torch.zeros(self.n_centers, y_dim), release=True)

    def tensor(self, data, dtype=None, release=False):
        tensor = torch.as_tensor(data, dtype=dtype, device=self.device)
        if release:
            del data
        return tensor

    def forward(self, samples):
        return self.kernel_fn(samples, self.centers) @ self.weight

    def fit(self, x_train, y_train, epochs=2, eta=0.1):
        for _ in range(epochs):
            pred = self(x_train)
            gradient = pred - y_train
            self.weight -= eta * self.kernel_fn(self.centers, x_train) @ gradient / len(x_train)


def laplacian(x, y, bandwidth=2.0):
    return torch.exp(-torch.cdist(x, y) / bandwidth)


if __name__ == "__main__":
    x, y = torch.randn(20, 3), torch.randn(20, 1)
    model = FKRR(laplacian, x, 1)
    model.fit(x, y)
    print(model(x).shape)
