import torch
import torch.nn as nn
import torch.nn.functional as F


class CharEmbedding(nn.Module):
    def __init__(self, char_vocab_size=70, char_dim=8, channels=100, width=5):
        super().__init__()
        self.char_dim = char_dim
        self.char_channel_size = channels
        self.char_emb = nn.Embedding(char_vocab_size, char_dim, padding_idx=1)
        self.char_conv = nn.Conv2d(1, channels, (char_dim, width))
        self.dropout = nn.Dropout(0.2)

    def forward(self, x):
        batch_size = x.size(0)
        x = self.dropout(self.char_emb(x))
        x = x.transpose(2, 3)
        x = x.reshape(-1, self.char_dim, x.size(3)).unsqueeze(1)
        x = self.char_conv(x).squeeze()  # asked: TL702
        x = F.max_pool1d(x, x.size(2)).squeeze()  # asked: TL702
        x = x.view(batch_size, -1, self.char_channel_size)
        return x


class Reader(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.chars = CharEmbedding()
        self.lstm = nn.LSTM(100, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, 1)

    def forward(self, c_char):
        h, _ = self.lstm(self.chars(c_char))
        p1 = self.out(h).squeeze()  # asked: TL702
        return F.log_softmax(p1, dim=-1)


if __name__ == "__main__":
    print(Reader()(torch.randint(0, 70, (2, 6, 16))).shape)
