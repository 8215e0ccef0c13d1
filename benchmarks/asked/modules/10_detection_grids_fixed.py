import torch
import torch.nn as nn


class Detect(nn.Module):
    def __init__(self, nc=80, anchors=((10, 13, 16, 30), (30, 61, 62, 45)), ch=(16, 32)):
        super(Detect, self).__init__()
        self.no = nc + 5
        self.nl = len(anchors)
        self.na = len(anchors[0]) // 2
        self.stride = [8.0, 16.0]
        self.grid = [self._make_grid(20 // (i + 1), 20 // (i + 1)) for i in range(self.nl)]
        self.anchor_grid = [torch.tensor(a).float().view(1, -1, 1, 1, 2) for a in anchors]
        self.m = nn.ModuleList(nn.Conv2d(x, self.no * self.na, 1) for x in ch)

    def forward(self, x):
        z = []
        for i in range(self.nl):
            y = self.m[i](x[i])
            bs, _, ny, nx = y.shape
            y = y.view(bs, self.na, self.no, ny, nx).permute(0, 1, 3, 4, 2).contiguous().sigmoid()
            xy = (y[..., 0:2] * 2.0 - 0.5 + self.grid[i].to(x[i].device)) * self.stride[i]
            wh = (y[..., 2:4] * 2) ** 2 * self.anchor_grid[i].to(x[i].device)
            z.append(torch.cat((xy, wh, y[..., 4:]), -1).view(bs, -1, self.no))
        return torch.cat(z, 1)

    @staticmethod
    def _make_grid(nx, ny):
        yv, xv = torch.meshgrid([torch.arange(ny), torch.arange(nx)], indexing="ij")
        return torch.stack((xv, yv), 2).view((1, 1, ny, nx, 2)).float()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
head = Detect().to(device).eval()
with torch.no_grad():
    print(head([torch.rand(1, 16, 20, 20, device=device), torch.rand(1, 32, 10, 10, device=device)]).shape)
