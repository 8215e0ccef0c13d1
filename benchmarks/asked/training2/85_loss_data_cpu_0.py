import argparse
import time

import torch
from torch import nn, optim

parser = argparse.ArgumentParser()
parser.add_argument("-lstm_type", default="single")
parser.add_argument("-num_epoch", type=int, default=1)
config = parser.parse_args()


class Model(nn.Module):
    def __init__(self, answers=20):
        super().__init__()
        self.embed = nn.Embedding(60, 16)
        self.lstm = nn.LSTM(16, 16, batch_first=True)
        self.decoder = nn.Linear(16, answers)
        self.loss_func = nn.BCEWithLogitsLoss()

    def forward(self, feed):
        out, _ = self.lstm(self.embed(feed["tokens"]))
        logits = self.decoder(out.mean(1))
        return self.loss_func(logits, feed["y"]), logits


def _train(config, batches):
    model = Model()
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    total_loss, start = 0, time.time()
    for epoch in range(config.num_epoch):
        for batch_num, feed in enumerate(batches):
            model.train()
            optimizer.zero_grad()
            loss, output_logits = model(feed)
            loss.backward()
            total_loss += loss.data.cpu()[0]  # asked: TL324
            optimizer.step()
            if batch_num % 10 == 0:
                print(batch_num, total_loss, time.time() - start)
                total_loss = 0


if __name__ == "__main__":
    _train(config, [{"tokens": torch.randint(0, 60, (4, 9)), "y": torch.rand(4, 20).round()} for _ in range(3)])
