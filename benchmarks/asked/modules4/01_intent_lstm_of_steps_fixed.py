import torch
import torch.nn as nn
import torch.nn.functional as F


class slot_enc(nn.Module):
    def __init__(self, embedding_dim, lstm_hidden_size, vocab_size):
        super(slot_enc, self).__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, lstm_hidden_size, num_layers=2, bidirectional=True, batch_first=True)

    def forward(self, x):
        x = F.dropout(self.embedding(x), 0.2, training=self.training)
        x, _ = self.lstm(x)
        return F.dropout(x, 0.2, training=self.training)


class slot_dec(nn.Module):
    def __init__(self, lstm_hidden_size, label_size):
        super(slot_dec, self).__init__()
        self.lstm = nn.LSTM(input_size=lstm_hidden_size * 4, hidden_size=lstm_hidden_size, num_layers=1, batch_first=True)
        self.fc = nn.Linear(lstm_hidden_size, label_size)

    def forward(self, x, hi):
        x = torch.cat((x, hi), dim=-1)
        x = x.transpose(1, 0)
        all_out = []
        for step in x:
            out, _ = self.lstm(step.unsqueeze(1))
            all_out.append(out)
        output = torch.cat(all_out, dim=1)
        return self.fc(output)


class Slot(nn.Module):
    def __init__(self, vocab_size=50, hidden=16, labels=8):
        super(Slot, self).__init__()
        self.enc = slot_enc(24, hidden, vocab_size)
        self.dec = slot_dec(hidden, labels)

    def forward(self, x):
        h = self.enc(x)
        return self.dec(h, h)


if __name__ == "__main__":
    net = Slot().eval()
    x = torch.randint(0, 50, (4, 12))
    other = torch.cat((torch.randint(0, 50, (1, 12)), x[1:]))
    print((net(x)[1:] - net(other)[1:]).abs().max())
