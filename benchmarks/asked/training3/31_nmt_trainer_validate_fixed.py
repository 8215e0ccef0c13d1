import torch
import torch.nn as nn
import torch.nn.functional as F


class Statistics:
    def __init__(self, loss=0, n_words=0, n_correct=0):
        self.loss, self.n_words, self.n_correct = loss, n_words, n_correct

    def update(self, stat):
        self.loss += stat.loss
        self.n_words += stat.n_words
        self.n_correct += stat.n_correct

    def accuracy(self):
        return 100 * (self.n_correct / self.n_words)


class Seq2Seq(nn.Module):
    def __init__(self, vocab=30, dim=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.encoder = nn.LSTM(dim, dim, batch_first=True)
        self.decoder = nn.LSTM(dim, dim, batch_first=True)
        self.generator = nn.Linear(dim, vocab)

    def forward(self, src, tgt):
        _, state = self.encoder(self.embed(src))
        out, _ = self.decoder(self.embed(tgt), state)
        return self.generator(out)


class Trainer:
    def __init__(self, model, optim):
        self.model = model
        self.optim = optim

    def _stats(self, loss, scores, target):
        pred = scores.max(-1)[1]
        return Statistics(loss.item(), target.numel(), pred.eq(target).sum().item())

    def train(self, train_iter, valid_iter, train_steps, valid_steps):
        for step, (src, tgt) in enumerate(train_iter):
            self.optim.zero_grad()
            scores = self.model(src, tgt[:, :-1])
            loss = F.cross_entropy(scores.transpose(1, 2), tgt[:, 1:])
            loss.backward()
            self.optim.step()
            if step % valid_steps == 0:
                print("Validation accuracy: %g" % self.validate(valid_iter).accuracy())

    def validate(self, valid_iter):
        self.model.eval()
        stats = Statistics()
        for src, tgt in valid_iter:
            with torch.no_grad():
                scores = self.model(src, tgt[:, :-1])
            loss = F.cross_entropy(scores.transpose(1, 2), tgt[:, 1:])
            stats.update(self._stats(loss, scores, tgt[:, 1:]))
        self.model.train()
        return stats


model = Seq2Seq()
trainer = Trainer(model, torch.optim.Adam(model.parameters(), 1e-3))
pairs = [(torch.randint(0, 30, (4, 7)), torch.randint(0, 30, (4, 8))) for _ in range(6)]
trainer.train(pairs[:4], pairs[4:], 4, 2)
