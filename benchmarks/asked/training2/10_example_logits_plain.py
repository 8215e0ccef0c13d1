import torch
from torch import nn
from torch.nn import functional as F


class PolyOneLoss(nn.Module):
    def __init__(self, num_classes, epsilon=1.0, reduction="mean"):
        super().__init__()
        self.num_classes = num_classes
        self.epsilon = epsilon
        self.reduction = reduction

    def forward(self, logits, labels):
        one_hot = F.one_hot(labels, num_classes=self.num_classes).to(logits.dtype)
        pt = torch.sum(one_hot * F.softmax(logits, dim=-1), dim=-1)
        ce = F.cross_entropy(logits, labels, reduction="none")
        poly = ce + self.epsilon * (1 - pt)
        if self.reduction == "mean":
            poly = poly.mean()
        elif self.reduction == "sum":
            poly = poly.sum()
        return poly


batch_size, num_classes = 32, 5
loss_fn = PolyOneLoss(num_classes=num_classes)
logits = torch.rand([batch_size, num_classes])
labels = torch.randint(0, num_classes, [batch_size, ])
loss = loss_fn(logits, labels)
loss.backward()  # asked: TL105
print(loss)
