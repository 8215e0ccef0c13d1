import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class MobileNetV2UNet(nn.Module):
    def __init__(self, freeze_bn=False):
        super().__init__()
        self.layer0 = nn.Sequential(nn.Conv2d(4, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU6())
        self.layer1 = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU6())
        self.pred = nn.Conv2d(8, 1, 1)
        if freeze_bn:
            self.freeze_bn()

    def forward(self, x):
        return self.pred(self.layer1(self.layer0(x)))

    def freeze_bn(self):
        for m in self.modules():
            if isinstance(m, nn.BatchNorm2d):
                m.eval()
                m.weight.requires_grad = False
                m.bias.requires_grad = False


def train(net, train_loader, optimizer, epoch):
    net.train()
    net.freeze_bn()
    running_loss = 0.0
    for i, (image, alpha) in enumerate(train_loader):
        optimizer.zero_grad()
        output = net(image)
        loss = torch.sqrt((output - alpha).pow(2) + 1e-12).mean()
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    print("epoch: %d, loss: %.5f" % (epoch, running_loss / len(train_loader)))


def main():
    net = MobileNetV2UNet(freeze_bn=True)
    params = [p for p in net.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(params, lr=1e-2)
    data = TensorDataset(torch.randn(8, 4, 16, 16), torch.rand(8, 1, 16, 16))
    loader = DataLoader(data, batch_size=4, shuffle=True)
    for epoch in range(2):
        train(net, loader, optimizer, epoch)


if __name__ == "__main__":
    main()
