import torch
import torch.nn as nn


class LengthLoss(nn.Module):
    def __init__(self, pairs):
        super().__init__()
        self.pairs = pairs

    def forward(self, pred, gt):
        loss = 0.0
        for a, b in self.pairs:
            loss = loss + (torch.norm(pred[:, a] - pred[:, b], dim=-1) - torch.norm(gt[:, a] - gt[:, b], dim=-1)).abs().mean()
        return loss


class Head(nn.Module):
    def __init__(self, joints=4):
        super().__init__()
        self.joints = joints
        self.mlp = nn.Linear(16, joints * 2)
        self.loss_module = LengthLoss([(0, 1), (1, 2), (2, 3)])

    def forward(self, feats):
        return self.mlp(feats).view(-1, self.joints, 2)

    def loss(self, feats, gt):
        pred = self.forward(feats)
        return {"loss_length": self.loss_module(pred, gt)}


def train():
    head = Head()
    optim = torch.optim.AdamW(head.parameters(), lr=4e-3)
    for i in range(3):
        losses = head.loss(torch.randn(8, 16), torch.randn(8, 4, 2))
        total = sum(losses.values())
        optim.zero_grad()
        total.backward()
        optim.step()


if __name__ == "__main__":
    train()
