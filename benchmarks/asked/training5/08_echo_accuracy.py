import torch
import torch.nn as nn

batch_size, T, echo_step, series_length = 100, 20, 3, 400
train_size = series_length // T


class EchoData:
    def __init__(self):
        self.raw_x = torch.randint(2, (batch_size, series_length, 1)).float()
        self.raw_y = self.raw_x.roll(echo_step, dims=1)

    def __getitem__(self, index):
        chunk = slice(index * T, (index + 1) * T)
        return self.raw_x[:, chunk], self.raw_y[:, chunk]


class SimpleRNN(nn.Module):
    def __init__(self, rnn_hidden_size=4):
        super().__init__()
        self.rnn = nn.RNN(1, rnn_hidden_size, nonlinearity="relu", batch_first=True)
        self.linear = nn.Linear(rnn_hidden_size, 1)

    def forward(self, x, hidden):
        x, hidden = self.rnn(x, hidden)
        return self.linear(x), hidden


train_data, model = EchoData(), SimpleRNN()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.001)


def train(hidden):
    model.train()
    correct = 0
    for batch_idx in range(train_size):
        data, target = train_data[batch_idx]
        optimizer.zero_grad()
        if hidden is not None:
            hidden.detach_()
        logits, hidden = model(data, hidden)
        loss = criterion(logits, target)
        loss.backward()
        optimizer.step()
        pred = torch.sigmoid(logits) > 0.5
        correct += (pred == target.byte()).int().sum().item()  # asked: TL224
    return correct, loss.item()


for epoch in range(3):
    correct, loss = train(None)
    train_accuracy = float(correct) / train_size  # asked: TL224
    print(f"Train Epoch: {epoch + 1} accuracy: {train_accuracy:.1f}%, loss: {loss:.4f}")
