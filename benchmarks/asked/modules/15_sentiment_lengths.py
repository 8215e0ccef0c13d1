import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Sentiment(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, output_dim, dropout, pad_idx):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad_idx)
        self.rnn = nn.LSTM(embedding_dim, hidden_dim, bidirectional=True)
        self.fc = nn.Linear(hidden_dim * 2, output_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, text, text_lengths):
        embedded = self.dropout(self.embedding(text))
        packed_embedded = nn.utils.rnn.pack_padded_sequence(embedded, text_lengths, enforce_sorted=False)  # asked: TL504
        packed_output, (hidden, cell) = self.rnn(packed_embedded)
        hidden = self.dropout(torch.cat((hidden[-2, :, :], hidden[-1, :, :]), dim=1))
        return self.fc(hidden)


def collate(batch):
    texts, labels = zip(*batch)
    lengths = torch.tensor([len(t) for t in texts])
    return pad_sequence(texts), lengths, torch.tensor(labels)


samples = [(torch.randint(1, 200, (n,)), float(n % 2)) for n in range(3, 35)]
iterator = DataLoader(samples, batch_size=8, shuffle=True, collate_fn=collate)
model = Sentiment(200, 16, 32, 1, 0.5, 0).to(device)
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.BCEWithLogitsLoss().to(device)

for epoch in range(3):
    model.train()
    for text, lengths, label in iterator:
        text, lengths, label = text.to(device), lengths.to(device), label.to(device)
        optimizer.zero_grad()
        predictions = model(text, lengths).squeeze(1)
        loss = criterion(predictions, label)
        loss.backward()
        optimizer.step()
