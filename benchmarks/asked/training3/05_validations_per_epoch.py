import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TextClassification:
    def __init__(self, num_epochs=2, validations_per_epoch=2, lr=1e-3):
        self.num_epochs = num_epochs
        self.validations_per_epoch = validations_per_epoch
        self.lr = lr
        self.model = None

    def fit(self, train_set, valid_set):
        self.model = nn.Sequential(
            nn.Linear(10, 20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 4)
        )
        self.criterion = nn.CrossEntropyLoss()
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=self.lr)
        for epoch in range(self.num_epochs):
            self.model.train()
            self._train_epoch(epoch, train_set, valid_set, optimizer)
        return self

    def _train_epoch(self, epoch, train_set, valid_set, optimizer):
        every = max(1, len(train_set) // 8 // self.validations_per_epoch)
        loader = DataLoader(train_set, batch_size=8, shuffle=True)
        for i, (x, y) in enumerate(loader):
            loss = self._train_batch(x, y, optimizer)
            if (i + 1) % every == 0:
                valid_loss, valid_acc = self.validate(valid_set)
                print(epoch, i, loss, valid_loss, valid_acc)

    def _train_batch(self, x, y, optimizer):
        optimizer.zero_grad()
        output = self.model(x)  # asked: TL209
        loss = self.criterion(output, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1)
        optimizer.step()
        return loss.detach().item()

    def validate(self, valid_set):
        self.model.eval()
        loss, acc = 0.0, 0.0
        for x, y in DataLoader(valid_set, batch_size=8):
            with torch.no_grad():
                output = self.model(x)
                loss += self.criterion(output, y).item()
                acc += (output.argmax(1) == y).sum().item()
        return loss / len(valid_set), acc / len(valid_set)


if __name__ == "__main__":
    train = TensorDataset(torch.randn(64, 10), torch.randint(0, 4, (64,)))
    valid = TensorDataset(torch.randn(16, 10), torch.randint(0, 4, (16,)))
    TextClassification().fit(train, valid)
