import os

import torch
from torch import nn, optim


class TransE(nn.Module):
    def __init__(self, entities=30, relations=5, dim=16):
        super().__init__()
        self.ent = nn.Embedding(entities, dim)
        self.rel = nn.Embedding(relations, dim)

    def forward(self, h, r, t):
        return (self.ent(h) + self.rel(r) - self.ent(t)).norm(p=1, dim=1)


class Config:
    def __init__(self):
        self.train_times, self.valid_steps, self.early_stopping_patience, self.margin = 6, 2, 2, 1.0
        self.trainModel = None
        self.optimizer = None

    def set_train_model(self, model):
        self.trainModel = model()
        self.optimizer = optim.SGD(self.trainModel.parameters(), lr=0.5)

    def train_one_step(self):
        self.optimizer.zero_grad()
        h, r, t = torch.randint(0, 30, (16,)), torch.randint(0, 5, (16,)), torch.randint(0, 30, (16,))
        neg = torch.randint(0, 30, (16,))
        loss = torch.relu(self.trainModel(h, r, t) - self.trainModel(h, r, neg) + self.margin).mean()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def valid(self, model):
        with torch.no_grad():
            return -model(torch.arange(10), torch.zeros(10, dtype=torch.long), torch.arange(10, 20)).mean().item()

    def train(self):
        best_epoch, best_hit10, bad_counts = 0, -1e9, 0
        best_model = None
        for epoch in range(self.train_times):
            res = 0.0
            for batch in range(3):
                res += self.train_one_step()
            if (epoch + 1) % self.valid_steps == 0:
                hit10 = self.valid(self.trainModel)
                if hit10 > best_hit10:
                    best_hit10 = hit10
                    best_epoch = epoch
                    best_model = {k: v.clone() for k, v in self.trainModel.state_dict().items()}
                    bad_counts = 0
                else:
                    bad_counts += 1
                if bad_counts == self.early_stopping_patience:
                    break
        if best_model is None:
            best_model = self.trainModel.state_dict()
        torch.save(best_model, os.devnull)
        return best_epoch


if __name__ == "__main__":
    con = Config()
    con.set_train_model(TransE)
    con.train()
