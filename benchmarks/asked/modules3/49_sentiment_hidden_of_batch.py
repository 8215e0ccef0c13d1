import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

features = np.random.randint(0, 200, (500, 20))
labels = np.random.randint(0, 2, 500)

train_data = TensorDataset(torch.from_numpy(features), torch.from_numpy(labels))
batch_size = 64
train_loader = DataLoader(train_data, shuffle=True, batch_size=batch_size)


class SentimentRNN(nn.Module):
    def __init__(self, vocab_size, output_size, embedding_dim, hidden_dim, n_layers):
        super(SentimentRNN, self).__init__()
        self.n_layers = n_layers
        self.hidden_dim = hidden_dim
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, n_layers, batch_first=True)
        self.fc = nn.Linear(hidden_dim, output_size)
        self.sig = nn.Sigmoid()

    def forward(self, x, hidden):
        embeds = self.embedding(x)
        lstm_out, hidden = self.lstm(embeds, hidden)  # asked: TL705
        out = self.sig(self.fc(lstm_out[:, -1]))
        return out[:, 0], hidden

    def init_hidden(self, batch_size):
        weight = next(self.parameters()).data
        return (weight.new(self.n_layers, batch_size, self.hidden_dim).zero_(), weight.new(self.n_layers, batch_size, self.hidden_dim).zero_())


net = SentimentRNN(200, 1, 16, 32, 2)
criterion = nn.BCELoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
net.train()
for e in range(2):
    h = net.init_hidden(batch_size)
    for inputs, targets in train_loader:
        h = tuple([each.data for each in h])
        net.zero_grad()
        output, h = net(inputs, h)
        loss = criterion(output, targets.float())
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5)
        optimizer.step()
