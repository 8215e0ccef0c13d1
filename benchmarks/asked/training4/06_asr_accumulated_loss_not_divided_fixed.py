import torch
from torch import nn


class Speech2Text(nn.Module):
    def __init__(self, feat=40, vocab=30):
        super().__init__()
        self.enc = nn.LSTM(feat, 32, batch_first=True)
        self.ctc = nn.Linear(32, vocab)

    def forward(self, batch):
        out, _ = self.enc(batch["xs"])
        logp = self.ctc(out).log_softmax(-1).transpose(0, 1)
        return nn.functional.ctc_loss(logp, batch["ys"], batch["xlens"], batch["ylens"])


class Train_set:
    def __init__(self, n=8):
        self.n = n

    def __iter__(self):
        for _ in range(self.n):
            yield {
                "xs": torch.randn(4, 50, 40), "xlens": torch.full((4,), 50),
                "ys": torch.randint(1, 30, (4, 8)), "ylens": torch.full((4,), 8),
            }


def train(model, optimizer, train_set, accum_grad_n_steps, clip_grad_norm):
    model.train()
    accum_n_steps = 0
    optimizer.zero_grad()
    for batch_train in train_set:
        accum_n_steps += 1
        loss = model(batch_train)
        (loss / accum_grad_n_steps).backward()
        if accum_n_steps >= accum_grad_n_steps:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip_grad_norm)
            optimizer.step()
            optimizer.zero_grad()
            accum_n_steps = 0
        print(loss.item())


if __name__ == "__main__":
    model = Speech2Text()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    train(model, optimizer, Train_set(), accum_grad_n_steps=4, clip_grad_norm=5.0)
