import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
PAD = 0


class BiLSTMPOSTagger(nn.Module):
    def __init__(self, input_dim=100, embedding_dim=32, hidden_dim=32, output_dim=9, dropout=0.25):
        super().__init__()
        self.embedding = nn.Embedding(input_dim, embedding_dim, padding_idx=PAD)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, bidirectional=True)
        self.fc = nn.Linear(hidden_dim * 2, output_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, text):
        embedded = self.dropout(self.embedding(text))
        outputs, _ = self.lstm(embedded)
        return self.fc(self.dropout(outputs))


def categorical_accuracy(preds, y, tag_pad_idx):
    max_preds = preds.argmax(dim=1, keepdim=True)
    non_pad_elements = (y != tag_pad_idx).nonzero()
    correct = max_preds[non_pad_elements].squeeze(1).eq(y[non_pad_elements])
    return correct.sum() / torch.FloatTensor([y[non_pad_elements].shape[0]]).to(y.device)


def train(model, loader, optimizer, criterion, tag_pad_idx):
    epoch_loss, epoch_acc = 0, 0
    model.train()
    for text, tags in loader:
        text, tags = text.t().to(device), tags.t().to(device)
        optimizer.zero_grad()
        predictions = model(text)
        predictions, tags = predictions.view(-1, predictions.shape[-1]), tags.reshape(-1)
        loss = criterion(predictions, tags)
        acc = categorical_accuracy(predictions, tags, tag_pad_idx)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
        epoch_acc += acc.item()
    return epoch_loss / len(loader), epoch_acc / len(loader)


if __name__ == "__main__":
    model = BiLSTMPOSTagger().to(device)
    criterion = nn.CrossEntropyLoss(ignore_index=PAD).to(device)
    data = TensorDataset(torch.randint(1, 100, (32, 12)), torch.randint(1, 9, (32, 12)))
    print(train(model, DataLoader(data, batch_size=8, shuffle=True), optim.Adam(model.parameters()), criterion, PAD))
