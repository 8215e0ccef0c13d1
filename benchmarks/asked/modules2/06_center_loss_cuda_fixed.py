import torch
import torch.nn as nn


class CenterLoss(nn.Module):
    def __init__(self, classes, feature_dims, use_gpu=True):
        super(CenterLoss, self).__init__()
        self.classes = classes
        self.feature_dims = feature_dims
        self.use_gpu = use_gpu
        if use_gpu:
            centers = nn.Parameter(torch.randn(self.classes, self.feature_dims).cuda())
        else:
            centers = nn.Parameter(torch.randn(self.classes, self.feature_dims))
        self.centers = centers

    def forward(self, x, labels):
        batch_size = x.shape[0]
        distances = torch.cdist(x, self.centers).pow(2)
        mask = labels.unsqueeze(1).eq(torch.arange(self.classes, device=labels.device))
        return (distances * mask).clamp(min=1e-12, max=1e12).sum() / batch_size


def main(classes=10):
    net = nn.Linear(32, 64).cuda()
    center_loss = CenterLoss(classes=classes, feature_dims=64)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    optimizer_center = torch.optim.SGD(list(center_loss.parameters()), lr=0.5)
    for _ in range(10):
        x, y = torch.randn(16, 32).cuda(), torch.randint(0, classes, (16,)).cuda()
        loss = center_loss(net(x), y)
        optimizer.zero_grad()
        optimizer_center.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer_center.step()


if __name__ == "__main__":
    main()
