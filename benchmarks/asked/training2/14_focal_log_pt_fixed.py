import torch
import torch.nn.functional as F
from torch import nn


class FocalLoss(nn.Module):
    def __init__(self, alpha=None, gamma=2.0, reduction="mean"):
        super().__init__()
        self.alpha, self.gamma, self.reduction = alpha, gamma, reduction

    def forward(self, x, target):
        if not torch.is_tensor(self.alpha) and self.alpha is not None:
            self.alpha = torch.tensor(self.alpha)
        p = F.softmax(x, dim=-1)
        p_t = p.gather(1, target.view(-1, 1)).squeeze(1)
        fl = -1 * (1 - p_t) ** self.gamma * torch.log(p_t + torch.finfo(p_t.dtype).eps)
        if self.alpha is not None:
            fl = self.alpha[target] * fl
        return fl.mean() if self.reduction == "mean" else fl.sum()


def train_epoch(model, batches, criterion, optimizer):
    model.train()
    for x, y in batches:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 4))
    data = [(torch.randn(8, 10), torch.randint(0, 4, (8,))) for _ in range(3)]
    train_epoch(model, data, FocalLoss(gamma=1.5), torch.optim.SGD(model.parameters(), lr=0.1))
