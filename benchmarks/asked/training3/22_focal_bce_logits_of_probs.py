import torch
import torch.nn as nn
import torch.nn.functional as F


class FocalLoss(nn.Module):
    def __init__(self, gamma=2, alpha=None, reduction="mean", task_type="binary", num_classes=None):
        super(FocalLoss, self).__init__()
        self.gamma = gamma
        self.alpha = alpha
        self.reduction = reduction
        self.task_type = task_type
        self.num_classes = num_classes

    def forward(self, inputs, targets):
        if self.task_type == "binary":
            return self.binary_focal_loss(inputs, targets)
        elif self.task_type == "multi-class":
            return self.multi_class_focal_loss(inputs, targets)
        raise ValueError(self.task_type)

    def binary_focal_loss(self, inputs, targets):
        probs = torch.sigmoid(inputs)
        targets = targets.float()
        bce_loss = F.binary_cross_entropy_with_logits(probs, targets, reduction="none")  # asked: TL302
        p_t = probs * targets + (1 - probs) * (1 - targets)
        focal_weight = (1 - p_t) ** self.gamma
        if self.alpha is not None:
            alpha_t = self.alpha * targets + (1 - self.alpha) * (1 - targets)
            bce_loss = alpha_t * bce_loss
        return self._reduce(focal_weight * bce_loss)

    def multi_class_focal_loss(self, inputs, targets):
        logp = F.log_softmax(inputs, dim=1)
        one_hot = F.one_hot(targets, num_classes=self.num_classes).float()
        p_t = torch.sum(logp.exp() * one_hot, dim=1)
        return self._reduce((1 - p_t) ** self.gamma * -(logp * one_hot).sum(1))

    def _reduce(self, loss):
        if self.reduction == "mean":
            return loss.mean()
        elif self.reduction == "sum":
            return loss.sum()
        return loss


if __name__ == "__main__":
    criterion = FocalLoss(gamma=2, alpha=0.25, task_type="binary")
    inputs = torch.randn(16, requires_grad=True)
    loss = criterion(inputs, torch.randint(0, 2, (16,)))
    loss.backward()
    print(loss.item())
