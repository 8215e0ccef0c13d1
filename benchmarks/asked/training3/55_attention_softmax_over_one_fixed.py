import torch
import torch.nn as nn
import torch.nn.functional as F


class EmbedVector(nn.Module):
    def __init__(self, words_num=60, words_dim=20, hidden_size=16, target_size=8):
        super(EmbedVector, self).__init__()
        self.embed = nn.Embedding(words_num, words_dim)
        self.lstm = nn.LSTM(words_dim, hidden_size, num_layers=2, bidirectional=True, dropout=0.3)
        self.attn = nn.Linear(hidden_size * 2 + words_dim, 1)
        self.hidden2tag = nn.Sequential(
            nn.Linear(hidden_size * 2 + words_dim, hidden_size * 2),
            nn.BatchNorm1d(hidden_size * 2),
            nn.ReLU(),
            nn.Linear(hidden_size * 2, target_size),
        )

    def forward(self, x):
        x = self.embed(x)
        seq_length, batch_size, words_dim = x.size()
        outputs, _ = self.lstm(x)
        outputs = outputs.view(-1, outputs.size(2))
        x = x.view(-1, words_dim)
        attn_weights = F.softmax(
            self.attn(torch.cat((x, outputs), 1)).view(seq_length, batch_size), dim=0
        ).view(-1, 1)
        attn_applied = torch.bmm(attn_weights.unsqueeze(1), outputs.unsqueeze(1))
        outputs = torch.cat((x, attn_applied.squeeze(1)), 1)
        tags = self.hidden2tag(outputs).view(seq_length, batch_size, -1)
        return torch.mean(tags, 0)


model = EmbedVector()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
for it in range(3):
    model.train()
    optimizer.zero_grad()
    loss = criterion(model(torch.randint(0, 60, (9, 4))), torch.randn(4, 8))
    loss.backward()
    optimizer.step()
    print(it, loss.item())
