import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LSTMClassifier(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=0)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(0.3)
        self.classifier = nn.Sequential(nn.Linear(hidden_dim * 2, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, text):
        embedded = self.dropout(self.embedding(text))
        _, (hidden, _) = self.lstm(embedded)
        hidden = torch.cat((hidden[-2], hidden[-1]), dim=1)
        return self.classifier(hidden).squeeze(1)


def binary_accuracy(preds, y):
    rounded = torch.round(torch.sigmoid(preds))
    return (rounded == y).float().mean()


def train(model, iterator, optimizer, criterion):
    model.train()
    epoch_loss, epoch_acc = 0, 0
    for text, label in iterator:
        optimizer.zero_grad()
        predictions = model(text)
        loss = criterion(predictions, label)
        acc = binary_accuracy(predictions, label)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
        epoch_acc += acc.item()
    return epoch_loss / len(iterator), epoch_acc / len(iterator)


if __name__ == "__main__":
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = LSTMClassifier(60, 12, 8).to(device)
    criterion = nn.BCEWithLogitsLoss().to(device)
    optimizer = torch.optim.Adam(model.parameters())
    data = TensorDataset(torch.randint(0, 60, (32, 9)), torch.randint(0, 2, (32,)).float())
    for epoch in range(2):
        print(train(model, DataLoader(data, batch_size=8), optimizer, criterion))
