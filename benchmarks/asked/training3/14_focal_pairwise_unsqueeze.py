import torch
from torch import nn


def binary_focal_loss_with_logits(input, target, alpha=0.25, gamma=2.0, reduction="none"):
    probs = torch.sigmoid(input)
    target = target.unsqueeze(dim=1)
    loss_tmp = (  # asked: TL311
        -alpha * torch.pow(1.0 - probs, gamma) * target * nn.functional.logsigmoid(input)
        - (1 - alpha) * torch.pow(probs, gamma) * (1.0 - target) * nn.functional.logsigmoid(-input)
    )
    loss_tmp = loss_tmp.squeeze(dim=1)
    if reduction == "mean":
        return loss_tmp.mean()
    if reduction == "sum":
        return loss_tmp.sum()
    return loss_tmp


class BinaryFocalLoss(nn.Module):
    def __init__(self, alpha, gamma=2.0, reduction="mean"):
        super().__init__()
        self.alpha = alpha
        self.gamma = gamma
        self.reduction = reduction

    def forward(self, input, target):
        return binary_focal_loss_with_logits(input, target, self.alpha, self.gamma, self.reduction)


criterion = BinaryFocalLoss(alpha=0.25)
net = nn.Conv2d(3, 1, 3, padding=1)
images = torch.randn(4, 3, 8, 8)
masks = torch.randint(0, 2, (4, 1, 8, 8)).float()
loss = criterion(net(images), masks)
loss.backward()
print(loss.item())
