import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self, vocab=40, width=24, tags=5):
        super().__init__()
        self.lut = nn.Embedding(vocab, width)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(width, tags)

    def forward(self, tokens):
        return self.out(self.drop(self.lut(tokens)))


def predict(model, loader, criterion):
    model.eval()
    loss, count = 0.0, 0
    for tokens, tags in loader:
        with torch.no_grad():
            scores = model(tokens)
            loss += criterion(scores.transpose(1, 2), tags).item()
            count += 1
    return loss / count


class TrainManager:
    def __init__(self, model, validation_freq=4, epochs=2):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.validation_freq = validation_freq
        self.epochs = epochs
        self.steps = 0

    def train_and_validate(self, train_loader, valid_loader):
        for epoch_no in range(self.epochs):
            self.model.train()
            self.model.zero_grad()
            epoch_loss = 0.0
            for tokens, tags in train_loader:
                epoch_loss += self._train_step(tokens, tags)
                self.steps += 1
                if self.steps % self.validation_freq == 0:
                    self._validate(valid_loader)  # asked: TL209
            print("epoch", epoch_no, epoch_loss)

    def _train_step(self, tokens, tags):
        scores = self.model(tokens)
        loss = self.criterion(scores.transpose(1, 2), tags)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return loss.item()

    def _validate(self, valid_loader):
        valid_loss = predict(self.model, valid_loader, self.criterion)
        print("validation", self.steps, valid_loss)


if __name__ == "__main__":
    data = TensorDataset(torch.randint(0, 40, (64, 7)), torch.randint(0, 5, (64, 7)))
    manager = TrainManager(Tagger())
    manager.train_and_validate(DataLoader(data, batch_size=8, shuffle=True), DataLoader(data, batch_size=8))
