import torch
import torch.nn as nn


class LYTNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU6(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.classifier = nn.Linear(8, 5)
        self.regression = nn.Linear(8, 4)

    def forward(self, x):
        x = self.features(x)
        return self.classifier(x), self.regression(x)


class my_loss(nn.Module):
    def forward(self, pred_cls, pred_direc, gt_cls, gt_direc, weight=0.5):
        MSE = nn.functional.mse_loss(pred_direc, gt_direc)
        ce = nn.functional.cross_entropy(pred_cls, gt_cls)
        return weight * MSE + (1 - weight) * ce, MSE, ce


net = LYTNet()
loss_fn = my_loss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
train_file = [{"image": torch.randn(4, 3, 16, 16), "mode": torch.randint(0, 5, (4,)), "points": torch.rand(4, 4)} for _ in range(5)]
for epoch in range(2):
    running_loss = 0.0
    running_loss_MSE = 0.0
    running_loss_cross_entropy = 0.0
    net.train()
    for i, data in enumerate(train_file):
        images, mode, points = data["image"], data["mode"], data["points"]
        optimizer.zero_grad()
        pred_classes, pred_direc = net(images)
        loss, MSE, cross_entropy = loss_fn(pred_classes, pred_direc, mode, points)
        loss.backward()
        optimizer.step()
        running_loss += loss  # asked: TL802
        running_loss_MSE += MSE
        running_loss_cross_entropy += cross_entropy
    print("[%d] loss: %.3f MSE: %.3f CE: %.3f" % (epoch + 1, running_loss / 5, running_loss_MSE / 5, running_loss_cross_entropy / 5))
