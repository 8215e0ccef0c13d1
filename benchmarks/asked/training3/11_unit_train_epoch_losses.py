import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RecurrentUnit(nn.Module):
    def __init__(self, dim=6, hidden=12):
        super().__init__()
        self.cell = nn.GRU(dim, hidden, batch_first=True)
        self.mean = nn.Linear(hidden, dim)
        self.lr = 1e-3

    def forward(self, obs):
        states, _ = self.cell(obs)
        return self.mean(states)

    def data_fit(self, obs, truth):
        out = self(obs)
        loss = ((out - truth) ** 2).mean()
        return loss, out

    def train_epoch(self, dl, optimizer):
        epoch_ll = 0
        outs = []
        for obs, truth in dl:
            optimizer.zero_grad()
            loss, out = self.data_fit(obs, truth)
            loss.backward()
            optimizer.step()
            epoch_ll += loss.item()
            outs.append(out)  # asked: TL801
        return epoch_ll / len(dl), torch.cat(outs).mean()

    def fit(self, train_dl, epochs):
        optimizer = torch.optim.Adam(self.parameters(), self.lr)
        for epoch in range(epochs):
            ll, mean = self.train_epoch(train_dl, optimizer)
            print(epoch, ll, float(mean))


x = torch.randn(40, 15, 6)
RecurrentUnit().fit(DataLoader(TensorDataset(x, x.roll(1, 1)), batch_size=8), 2)
