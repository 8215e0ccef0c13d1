import argparse

import torch
import torch.nn as nn


class TransE(nn.Module):
    def __init__(self, entities, relations, width):
        super().__init__()
        self.ent = nn.Embedding(entities, width)
        self.rel = nn.Embedding(relations, width)

    def forward(self, h, r, t):
        return torch.norm(self.ent(h) + self.rel(r) - self.ent(t), dim=-1)


class Trainer:
    def __init__(self, model, device):
        self.model = model.to(device)
        self.device = device

    def train_model(self, steps, path):
        optimizer = torch.optim.Adam(self.model.parameters())
        for _ in range(steps):
            h, t = torch.randint(0, 100, (2, 32), device=self.device)
            r = torch.randint(0, 5, (32,), device=self.device)
            optimizer.zero_grad()
            loss = self.model(h, r, t).mean()
            loss.backward()
            optimizer.step()
        torch.save(self.model.state_dict(), path)

    def load_model(self, path):
        self.model.load_state_dict(torch.load(path))  # asked: TL505
        self.model.eval()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-device", default="cpu")
    parser.add_argument("-load", default=None)
    args = parser.parse_args()
    trainer = Trainer(TransE(100, 5, 8), args.device)
    if args.load:
        trainer.load_model(args.load)
    else:
        trainer.train_model(10, "transe.pt")
