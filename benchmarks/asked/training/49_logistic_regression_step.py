import torch
from torch import nn
from torch.nn import functional as F
from torch.optim import Adam
from torch.utils.data import DataLoader, TensorDataset


class LogisticRegression(nn.Module):
    def __init__(self, input_dim, num_classes, bias=True, learning_rate=1e-4, optimizer=Adam, l1_strength=0.0, l2_strength=0.0):
        super().__init__()
        self.learning_rate = learning_rate
        self.optimizer = optimizer
        self.l1_strength = l1_strength
        self.l2_strength = l2_strength
        self.linear = nn.Linear(in_features=input_dim, out_features=num_classes, bias=bias)

    def forward(self, x):
        x = self.linear(x)
        y_hat = F.softmax(x, dim=-1)
        return y_hat

    def training_step(self, batch, batch_idx):
        x, y = batch
        x = x.view(x.size(0), -1)
        y_hat = self(x)
        loss = F.cross_entropy(y_hat, y, reduction="sum")  # asked: TL301
        if self.l1_strength > 0:
            l1_reg = self.linear.weight.abs().sum()
            loss += self.l1_strength * l1_reg
        if self.l2_strength > 0:
            l2_reg = self.linear.weight.pow(2).sum()
            loss += self.l2_strength * l2_reg
        loss /= x.size(0)
        return {"loss": loss}

    def configure_optimizers(self):
        return self.optimizer(self.parameters(), lr=self.learning_rate)


def fit(module, loader, max_epochs):
    optimizer = module.configure_optimizers()
    for _ in range(max_epochs):
        for batch_idx, batch in enumerate(loader):
            loss = module.training_step(batch, batch_idx)["loss"]
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
    fit(LogisticRegression(4, 3, l2_strength=0.1), DataLoader(data, batch_size=16), 2)
