import torch
import torch.nn as nn
import torch.nn.functional as F


class VAEObjective(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.weights = weights

    def forward(self, predictions, targets):
        pred_states, pred_logits = predictions["states"], predictions["mask"]
        gt_states, gt_mask = targets["states"], targets["mask"]
        l1 = (F.l1_loss(pred_states, gt_states, reduction="none").sum(-1) * gt_mask).mean()
        ce = F.binary_cross_entropy_with_logits(gt_mask, pred_logits)  # asked: TL313
        return {"l1": self.weights["l1"] * l1, "ce": self.weights["ce"] * ce}


class Model(nn.Module):
    def __init__(self, n=10):
        super().__init__()
        self.enc = nn.Linear(16, 32)
        self.states = nn.Linear(32, n * 4)
        self.mask = nn.Linear(32, n)

    def forward(self, x):
        h = F.relu(self.enc(x))
        return {"states": self.states(h).view(len(x), -1, 4), "mask": self.mask(h)}


if __name__ == "__main__":
    model, objective = Model(), VAEObjective({"l1": 2.0, "ce": 5.0})
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(2):
        targets = {"states": torch.randn(4, 10, 4), "mask": torch.rand(4, 10).round()}
        losses = objective(model(torch.randn(4, 16)), targets)
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()
