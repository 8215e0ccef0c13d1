import torch
import torch.nn as nn


class CharRNN(nn.Module):
    def __init__(self, tokens, n_hidden=32, n_layers=2, drop_prob=0.5):
        super().__init__()
        self.n_layers, self.n_hidden = n_layers, n_hidden
        self.lstm = nn.LSTM(tokens, n_hidden, n_layers, dropout=drop_prob, batch_first=True)
        self.dropout = nn.Dropout(drop_prob)
        self.fc = nn.Linear(n_hidden, tokens)

    def forward(self, x, hidden):
        r_output, hidden = self.lstm(x, hidden)
        out = self.dropout(r_output)
        out = out.contiguous().view(-1, self.n_hidden)
        return self.fc(out), hidden

    def init_hidden(self, batch_size):
        weight = next(self.parameters()).data
        return (weight.new(self.n_layers, batch_size, self.n_hidden).zero_(), weight.new(self.n_layers, batch_size, self.n_hidden).zero_())


def get_batches(data, batch_size, seq_length):
    n = data.numel() // (batch_size * seq_length)
    data = data[:n * batch_size * seq_length].view(batch_size, -1)
    for i in range(0, data.size(1) - seq_length, seq_length):
        yield data[:, i:i + seq_length], data[:, i + 1:i + 1 + seq_length]


def train(net, data, epochs=2, batch_size=4, seq_length=8, lr=0.001, clip=5):
    net.train()
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    for e in range(epochs):
        h = net.init_hidden(batch_size)
        for x, y in get_batches(data, batch_size, seq_length):
            inputs = nn.functional.one_hot(x, 20).float()
            net.zero_grad()
            output, h = net(inputs, h)
            loss = criterion(output, y.reshape(batch_size * seq_length))
            loss.backward()  # asked: TL104
            nn.utils.clip_grad_norm_(net.parameters(), clip)
            opt.step()
        print(e, loss.item())


train(CharRNN(20), torch.randint(0, 20, (400,)))
