import torch
import torch.nn.functional as F
from torch import nn


class AttentionMIL(nn.Module):
    def __init__(self, dim=16, classes=2):
        super().__init__()
        self.attention = nn.Sequential(nn.Linear(dim, 8), nn.Tanh(), nn.Linear(8, 1))
        self.head = nn.Linear(dim, classes)

    def forward(self, bag):
        weights = torch.softmax(self.attention(bag), dim=1)
        return self.head((weights * bag).sum(1))


class Classifier:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def training_step(self, bag, label):
        self.model.train()
        loss = self.criterion(self.model(bag), label)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def validation_step(self, bag, label, softmax=True, sigmoid=False):
        self.model.eval()
        with torch.no_grad():
            logits = self.model(bag)
            loss = self.criterion(logits, label)
            if softmax:
                logits = F.softmax(logits, dim=-1)
            elif sigmoid:
                logits = torch.sigmoid(logits)
        return logits, label, loss.item()


def train_model(classifier, train_bags, val_bags, n_epochs=2):
    for epoch in range(n_epochs):
        for bag, label in train_bags:
            classifier.training_step(bag, label)
        probs = []
        for bag, label in val_bags:
            logits, label, loss = classifier.validation_step(bag, label)
            probs.append(torch.softmax(logits, dim=-1)[:, 1])  # asked: TL315
        print(epoch, torch.cat(probs))


if __name__ == "__main__":
    bags = [(torch.randn(1, 20, 16), torch.randint(0, 2, (1,))) for _ in range(6)]
    train_model(Classifier(AttentionMIL()), bags[:4], bags[4:])
