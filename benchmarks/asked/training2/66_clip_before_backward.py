import numpy as np
import torch
from torch import nn


class Args:
    train_epochs, lr, max_grad_norm = 2, 3e-5, 1.0


class NerModel(nn.Module):
    def __init__(self, vocab=50, tags=7, dim=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, dim, bidirectional=True, batch_first=True)
        self.drop = nn.Dropout(0.3)
        self.linear = nn.Linear(2 * dim, tags)

    def forward(self, token_ids, masks, labels=None):
        logits = self.linear(self.drop(self.lstm(self.embed(token_ids))[0]))
        if labels is None:
            return logits
        active = masks.view(-1) == 1
        return nn.functional.cross_entropy(logits.view(-1, 7)[active], labels.view(-1)[active]), logits


class BertForNer:
    def __init__(self, args, train_loader):
        self.args = args
        self.train_loader = train_loader
        self.model = NerModel()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.lr)
        self.scheduler = torch.optim.lr_scheduler.LinearLR(self.optimizer, 1.0, 0.1, len(train_loader) * args.train_epochs)

    def train(self):
        global_step = 0
        self.model.zero_grad()
        for epoch in range(1, self.args.train_epochs + 1):
            for step, batch in enumerate(self.train_loader):
                self.model.train()
                loss, logits = self.model(batch[0], batch[1], batch[2])
                nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)  # asked: TL206
                loss.backward()
                self.optimizer.step()
                self.scheduler.step()
                self.model.zero_grad()
                global_step += 1


if __name__ == "__main__":
    data = [(torch.randint(0, 50, (2, 6)), torch.ones(2, 6), torch.randint(0, 7, (2, 6))) for _ in range(3)]
    BertForNer(Args(), data).train()
