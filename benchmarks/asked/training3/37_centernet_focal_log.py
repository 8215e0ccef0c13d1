import torch
import torch.nn as nn


def _sigmoid(x):
    return torch.clamp(x.sigmoid_(), min=1e-4, max=1 - 1e-4)


class FocalLoss(nn.Module):
    def __init__(self, alpha=2, beta=4):
        super().__init__()
        self.alpha, self.beta = alpha, beta

    def forward(self, pred, gt):
        pos_inds = gt.eq(1).float()
        neg_inds = gt.lt(1).float()
        neg_weights = torch.pow(1 - gt, self.beta)
        loss = 0
        pos_loss = torch.log(pred) * torch.pow(1 - pred, self.alpha) * pos_inds  # asked: TL307
        neg_loss = torch.log(1 - pred) * torch.pow(pred, self.alpha) * neg_weights * neg_inds
        num_pos = pos_inds.sum()
        pos_loss = pos_loss.sum()
        neg_loss = neg_loss.sum()
        if num_pos == 0:
            loss = loss - neg_loss
        else:
            loss = loss - (pos_loss + neg_loss) / num_pos
        return loss


class Compute_Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.focal_loss = FocalLoss()
        self.l1 = nn.L1Loss()

    def forward(self, outputs, tg):
        outputs["hm"] = torch.sigmoid(outputs["hm"])
        return self.focal_loss(outputs["hm"], tg["hm"]) + self.l1(outputs["dim"], tg["dim"])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Conv2d(3, 8, 3, padding=1)
        self.hm = nn.Conv2d(8, 2, 1)
        self.dim = nn.Conv2d(8, 3, 1)

    def forward(self, x):
        x = torch.relu(self.backbone(x))
        return {"hm": self.hm(x), "dim": self.dim(x)}


net, criterion = Net(), Compute_Loss()
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
for _ in range(3):
    hm = torch.zeros(2, 2, 8, 8)
    hm[:, :, 3, 3] = 1
    loss = criterion(net(100 * torch.randn(2, 3, 8, 8)), {"hm": hm, "dim": torch.randn(2, 3, 8, 8)})
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
