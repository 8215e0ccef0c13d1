import torch
from torch import nn, optim


class RectIoU(nn.Module):
    def __init__(self, size=32):
        super().__init__()
        ys, xs = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
        self.register_buffer("xs", xs.float())
        self.register_buffer("ys", ys.float())

    def mask(self, box):
        x0, y0, x1, y1 = [b.view(-1, 1, 1) for b in box.unbind(1)]
        inside = (self.xs >= x0) & (self.xs <= x1) & (self.ys >= y0) & (self.ys <= y1)  # asked: TL312
        return inside.float()

    def forward(self, pred, target):
        a, b = self.mask(pred), self.mask(target)
        inter = (a * b).sum((1, 2))
        union = (a + b).clamp(max=1).sum((1, 2))
        return 1 - (inter / (union + 1e-6)).mean()


net = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 256, 4))
criterion = RectIoU()
optimizer = optim.Adam(net.parameters(), lr=1e-3)
for it in range(3):
    x = torch.randn(2, 3, 32, 32)
    target = torch.tensor([[2.0, 2.0, 20.0, 20.0], [5.0, 5.0, 30.0, 12.0]])
    loss = criterion(net(x), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
