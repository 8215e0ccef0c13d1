import torch
from torch import nn


class Stats:
    def __init__(self, device):
        self.device = device
        self.values = {}

    def add(self, name):
        self.values[name] = torch.zeros(1, device=self.device)

    def device_stat(self, name):
        return self.values[name]


def pretrain(model, loader, optimizer, log_every=100):
    average_loss = torch.zeros(1)
    for step, (tokens, labels) in enumerate(loader, 1):
        logits = model(tokens)
        loss = nn.functional.cross_entropy(logits.view(-1, logits.size(-1)), labels.view(-1))
        loss.backward()
        average_loss.add_(loss)  # asked: TL802
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % log_every == 0:
            print(step, average_loss.item() / step)
    return average_loss


if __name__ == "__main__":
    net = nn.Sequential(nn.Embedding(100, 16), nn.Linear(16, 100))
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    data = [(torch.randint(0, 100, (2, 8)), torch.randint(0, 100, (2, 8))) for _ in range(4)]
    pretrain(net, data, opt, log_every=2)
