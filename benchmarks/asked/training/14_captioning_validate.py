import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, stride=2)
        self.pool = nn.AdaptiveAvgPool2d(1)

    def forward(self, images):
        return self.pool(torch.relu(self.conv(images))).flatten(1)


class Decoder(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.embedding = nn.Embedding(vocab, 16)
        self.lstm = nn.LSTM(16, 16, batch_first=True)
        self.dropout = nn.Dropout(0.5)
        self.fc = nn.Linear(16, vocab)

    def forward(self, features, captions):
        states = (features.unsqueeze(0), torch.zeros_like(features).unsqueeze(0))
        out, _ = self.lstm(self.embedding(captions[:, :-1]), states)
        return self.fc(self.dropout(out))


def train(train_loader, encoder, decoder, criterion, optimizer):
    decoder.train()
    encoder.train()
    for imgs, caps in train_loader:
        scores = decoder(encoder(imgs), caps)
        lengths = [caps.size(1) - 1] * caps.size(0)
        scores = pack_padded_sequence(scores, lengths, batch_first=True).data
        targets = pack_padded_sequence(caps[:, 1:], lengths, batch_first=True).data
        loss = criterion(scores, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def validate(val_loader, encoder, decoder, criterion):
    decoder.eval()
    if encoder is not None:
        encoder.eval()
    losses, hypotheses = [], []
    for i, (imgs, caps) in enumerate(val_loader):
        if encoder is not None:
            imgs = encoder(imgs)  # asked: TL210
        scores = decoder(imgs, caps)
        scores_copy = scores.clone()
        lengths = [caps.size(1) - 1] * caps.size(0)
        scores = pack_padded_sequence(scores, lengths, batch_first=True).data
        targets = pack_padded_sequence(caps[:, 1:], lengths, batch_first=True).data
        loss = criterion(scores, targets)
        losses.append(loss.item())
        _, preds = torch.max(scores_copy, dim=2)
        hypotheses.extend(preds.tolist())
    return sum(losses) / len(losses)


def main():
    data = TensorDataset(torch.randn(12, 3, 8, 8), torch.randint(0, 20, (12, 6)))
    encoder, decoder = Encoder(), Decoder(20)
    optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=4e-4)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(2):
        train(DataLoader(data, 4, shuffle=True), encoder, decoder, criterion, optimizer)
        print(validate(DataLoader(data, 4), encoder, decoder, criterion))


if __name__ == "__main__":
    main()
