import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class SentenceAttention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.gru = nn.GRU(hidden, hidden, bidirectional=True)
        self.weight = nn.Linear(2 * hidden, 1)

    def forward(self, words, state):
        out, h = self.gru(words, state)
        alpha = torch.softmax(self.weight(out), dim=0)
        return (alpha * out).sum(0), h


class HierNet(nn.Module):
    def __init__(self, hidden, batch_size, classes, vocab):
        super().__init__()
        self.batch_size = batch_size
        self.hidden = hidden
        self.lookup = nn.Embedding(vocab, hidden)
        self.attention = SentenceAttention(hidden)
        self.fc = nn.Linear(2 * hidden, classes)
        self._init_hidden_state()

    def _init_hidden_state(self, last_batch_size=None):
        batch_size = last_batch_size if last_batch_size else self.batch_size
        self.state = torch.zeros(2, batch_size, self.hidden)
        if torch.cuda.is_available():
            self.state = self.state.cuda()

    def forward(self, words):
        out, self.state = self.attention(self.lookup(words.permute(1, 0)), self.state)  # asked: TL705
        return self.fc(out)


def train(opt):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    training_generator = DataLoader(TensorDataset(torch.randint(0, 50, (100, 12)), torch.randint(0, 4, (100,))), batch_size=opt["batch_size"], shuffle=True)
    test_generator = DataLoader(TensorDataset(torch.randint(0, 50, (40, 12)), torch.randint(0, 4, (40,))), batch_size=opt["batch_size"])
    model = HierNet(16, opt["batch_size"], 4, 50).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(2):
        model.train()
        for feature, label in training_generator:
            optimizer.zero_grad()
            model._init_hidden_state()
            predictions = model(feature.to(device))
            loss = criterion(predictions, label.to(device))
            loss.backward()
            optimizer.step()
        model.eval()
        for te_feature, te_label in test_generator:
            with torch.no_grad():
                model._init_hidden_state(len(te_label))
                model(te_feature.to(device))


if __name__ == "__main__":
    train({"batch_size": 32})
