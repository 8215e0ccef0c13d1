import torch
import torch.distributed as dist
from torch import nn


class FCOSHead(nn.Module):
    def __init__(self, in_channels, num_classes=4, num_convs=2):
        super(FCOSHead, self).__init__()
        cls_tower, bbox_tower = [], []
        for i in range(num_convs):
            cls_tower += [nn.Conv2d(in_channels, in_channels, 3, padding=1), nn.GroupNorm(4, in_channels), nn.ReLU()]
            bbox_tower += [nn.Conv2d(in_channels, in_channels, 3, padding=1), nn.GroupNorm(4, in_channels), nn.ReLU()]
        self.add_module("cls_tower", nn.Sequential(*cls_tower))
        self.add_module("bbox_tower", nn.Sequential(*bbox_tower))
        self.cls_logits = nn.Conv2d(in_channels, num_classes, 3, padding=1)
        self.bbox_pred = nn.Conv2d(in_channels, 4, 3, padding=1)
        self.mask_coef = nn.Conv2d(in_channels, 32, 3, padding=1)  # asked: TL406
        self.centerness = nn.Conv2d(in_channels, 1, 3, padding=1)

    def forward(self, x):
        logits, bbox_reg, centerness = [], [], []
        for feature in x:
            cls_tower = self.cls_tower(feature)
            box_tower = self.bbox_tower(feature)
            logits.append(self.cls_logits(cls_tower))
            centerness.append(self.centerness(box_tower))
            bbox_reg.append(torch.exp(self.bbox_pred(box_tower)))
        return logits, bbox_reg, centerness


def do_train(rank, world_size):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    model = nn.parallel.DistributedDataParallel(FCOSHead(16))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(3):
        logits, boxes, centers = model([torch.randn(2, 16, 8, 8), torch.randn(2, 16, 4, 4)])
        losses = sum(t.mean() for t in logits + boxes + centers)
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()


if __name__ == "__main__":
    do_train(0, 1)
