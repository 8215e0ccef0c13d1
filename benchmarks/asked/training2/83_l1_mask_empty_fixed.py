import torch
import torch.nn as nn


class MaskL1Loss(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, pred, gt, mask):
        loss = (torch.abs(pred[:, 0] - gt) * mask).sum() / mask.sum().clamp(min=1)
        return loss, dict(l1_loss=loss)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.binarize = nn.Sequential(nn.Conv2d(8, 1, 3, padding=1), nn.Sigmoid())
        self.thresh = nn.Sequential(nn.Conv2d(8, 1, 3, padding=1), nn.Sigmoid())
        self.l1_loss = MaskL1Loss()

    def forward(self, x, batch):
        p, t = self.binarize(x), self.thresh(x)
        bce = nn.functional.binary_cross_entropy(p[:, 0], batch["gt"])
        l1, metrics = self.l1_loss(t, batch["thresh_map"], batch["thresh_mask"])
        return bce * 5 + l1 * 10


if __name__ == "__main__":
    decoder = Decoder()
    optimizer = torch.optim.SGD(decoder.parameters(), lr=0.007)
    for _ in range(2):
        batch = {"gt": torch.rand(2, 8, 8).round(), "thresh_map": torch.rand(2, 8, 8), "thresh_mask": torch.rand(2, 8, 8).round()}
        loss = decoder(torch.randn(2, 8, 8, 8), batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
