import os
from datetime import datetime

import numpy as np
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, Dataset


class Recordings(Dataset):
    def __len__(self):
        return 12

    def __getitem__(self, i):
        return {"audio": torch.randn(20, 40), "onset": torch.rand(20, 88).round(), "frame": torch.rand(20, 88).round()}


class OnsetsAndFrames(nn.Module):
    def __init__(self, complexity=16):
        super().__init__()
        self.onset = nn.Sequential(nn.Linear(40, complexity), nn.ReLU(), nn.Linear(complexity, 88), nn.Sigmoid())
        self.frame = nn.Sequential(nn.Linear(40 + 88, complexity), nn.ReLU(), nn.Linear(complexity, 88), nn.Sigmoid())

    def forward(self, mel):
        onset = self.onset(mel)
        return onset, self.frame(torch.cat([mel, onset.detach()], -1))

    def run_on_batch(self, batch):
        onset, frame = self(batch["audio"])
        bce = nn.functional.binary_cross_entropy
        return {}, {"loss/onset": bce(onset, batch["onset"]), "loss/frame": bce(frame, batch["frame"])}


def cycle(iterable):
    while True:
        for item in iterable:
            yield item


def train(iterations=6, learning_rate=0.0006, clip_gradient_norm=3, validation_interval=3):
    loader = DataLoader(Recordings(), 4, shuffle=True, drop_last=True)
    model = OnsetsAndFrames()
    optimizer = torch.optim.Adam(model.parameters(), learning_rate)
    scheduler = StepLR(optimizer, step_size=10000, gamma=0.98)
    loop = range(1, iterations + 1)
    for i, batch in zip(loop, cycle(loader)):
        predictions, losses = model.run_on_batch(batch)
        loss = sum(losses.values())
        optimizer.zero_grad()
        loss.backward()
        if clip_gradient_norm:
            clip_grad_norm_(model.parameters(), clip_gradient_norm)
        optimizer.step()
        scheduler.step()
        for key, value in {"loss": loss, **losses}.items():
            print(key, value.item(), i)


if __name__ == "__main__":
    train()
