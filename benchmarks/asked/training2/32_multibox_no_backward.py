import time

import torch
import torch.nn.functional as F
from torch import nn, optim


class MultiBoxLoss(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.num_classes = num_classes

    def forward(self, predictions, targets):
        loc, conf = predictions
        loc_t, conf_t = targets
        loss_l = F.smooth_l1_loss(loc, loc_t, reduction="sum")
        loss_c = F.cross_entropy(conf.view(-1, self.num_classes), conf_t.view(-1), reduction="sum")
        n = conf_t.numel()
        return loss_l / n, loss_c / n


class Box(nn.Module):
    def __init__(self):
        super().__init__()
        self.vgg = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU())
        self.loc = nn.Conv2d(16, 4, 3, padding=1)
        self.conf = nn.Conv2d(16, 2, 3, padding=1)

    def forward(self, x):
        x = self.vgg(x)
        return self.loc(x).permute(0, 2, 3, 1), self.conf(x).permute(0, 2, 3, 1).contiguous()


def train(batches, max_iter=4, lr=1e-3):
    net = Box()
    optimizer = optim.SGD(net.parameters(), lr=lr, momentum=0.9, weight_decay=5e-4)
    criterion = MultiBoxLoss(2)
    net.train()
    batch_iterator = None
    for iteration in range(max_iter):
        if not batch_iterator or iteration % len(batches) == 0:
            batch_iterator = iter(batches)
        images, targets = next(batch_iterator)
        t0 = time.time()
        out = net(images)
        optimizer.zero_grad()
        loss_l, loss_c = criterion(out, targets)
        loss = loss_l + loss_c
        optimizer.step()  # asked: TL204
        if iteration % 2 == 0:
            print("iter", iteration, "loss %.4f" % loss.item(), time.time() - t0)


if __name__ == "__main__":
    train([(torch.randn(2, 3, 16, 16), (torch.randn(2, 8, 8, 4), torch.randint(0, 2, (2, 8, 8)))) for _ in range(3)])
