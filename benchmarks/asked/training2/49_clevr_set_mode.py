import torch
from torch import nn
from torch.autograd import Variable


class ProgramGenerator(nn.Module):
    def __init__(self, vocab=20, dim=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, dim, 2, dropout=0.2, batch_first=True)
        self.drop = nn.Dropout(0.5)
        self.out = nn.Linear(dim, vocab)

    def forward(self, q):
        h, _ = self.rnn(self.embed(q))
        return self.out(self.drop(h))


class Engine(nn.Module):
    def __init__(self, answers=10):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.bn = nn.BatchNorm2d(8)
        self.fc = nn.Linear(8, answers)

    def forward(self, feats, programs):
        return self.fc(torch.relu(self.bn(self.conv(feats))).mean((2, 3)))


def set_mode(mode, models):
    for m in models:
        if m is None:
            continue
        if mode == "train":
            m.train()
        if mode == "eval":
            m.eval()


def check_accuracy(program_generator, execution_engine, loader):
    set_mode("eval", [program_generator, execution_engine])
    correct, samples = 0, 0
    with torch.no_grad():
        for q, feats, answers in loader:
            program = program_generator(q).argmax(-1)
            scores = execution_engine(feats, program)
            correct += (scores.argmax(1) == answers).sum().item()
            samples += len(answers)
    return float(correct) / samples


def train_loop(loader, num_iterations=8, every=4):
    pg, ee = ProgramGenerator(), Engine()
    optimizer = torch.optim.Adam(ee.parameters(), lr=5e-4)
    loss_fn = nn.CrossEntropyLoss()
    set_mode("train", [pg, ee])
    t, epoch = 0, 0
    while t < num_iterations:
        epoch += 1
        for q, feats, answers in loader:
            t += 1
            optimizer.zero_grad()
            program = pg(q).argmax(-1)
            scores = ee(feats, program)  # asked: TL209
            loss = loss_fn(scores, answers)
            loss.backward()
            optimizer.step()
            if t % every == 0:
                print("accuracy", check_accuracy(pg, ee, loader))
            if t == num_iterations:
                break


if __name__ == "__main__":
    train_loop([(torch.randint(0, 20, (2, 6)), torch.randn(2, 3, 8, 8), torch.randint(0, 10, (2,))) for _ in range(3)])
