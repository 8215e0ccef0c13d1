import torch
from torch import nn


class RNNBase(nn.Module):
    def __init__(self, n_in, hidden_size, n_out, lr=0.01):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(n_in + hidden_size, hidden_size)
        self.h2o = nn.Linear(n_in + hidden_size, n_out)
        self.softmax = nn.LogSoftmax(dim=1)
        self.criterion = nn.NLLLoss()
        self.prepare()
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr)

    def prepare(self):
        pass

    def init_hidden(self):
        return torch.zeros(1, self.hidden_size)

    def step(self, x, hidden):
        raise NotImplementedError

    def learn(self, word, targets):
        hidden = self.init_hidden()
        self.optimizer.zero_grad()
        loss = 0
        for x, target in zip(word, targets):
            out, hidden = self.step(x, hidden)
            loss = loss + self.criterion(out, target)
        loss.backward()
        self.optimizer.step()
        return loss.item() / len(word)


class MemoryRNN(RNNBase):
    def prepare(self):
        n = self.i2h.in_features
        self.i2h = nn.Sequential(nn.Linear(n, 2 * self.hidden_size), nn.Tanh(), nn.Linear(2 * self.hidden_size, self.hidden_size))

    def step(self, x, hidden):
        combined = torch.cat((x, hidden), 1)
        return self.softmax(self.h2o(combined)), self.i2h(combined)


if __name__ == "__main__":
    net = MemoryRNN(6, 16, 6)
    for _ in range(3):
        print(net.learn(torch.eye(6).unsqueeze(1), torch.arange(6).unsqueeze(1)))
