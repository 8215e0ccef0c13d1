import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim
from torch.utils.data import DataLoader, TensorDataset


class UNet3Plus(nn.Module):
    def __init__(self, n_channels=3, n_classes=1):
        super(UNet3Plus, self).__init__()
        self.n_classes = n_classes
        self.conv1 = nn.Conv2d(n_channels, 8, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.maxpool1 = nn.MaxPool2d(2)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.hd2_UT_hd1 = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)
        self.conv1d_1 = nn.Conv2d(24, 16, 3, padding=1)
        self.outconv1 = nn.Conv2d(16, n_classes, 3, padding=1)

    def forward(self, inputs):
        h1 = F.relu(self.bn1(self.conv1(inputs)))
        h2 = F.relu(self.conv2(self.maxpool1(h1)))
        hd1 = F.relu(self.conv1d_1(torch.cat((h1, self.hd2_UT_hd1(h2)), 1)))
        d1 = self.outconv1(hd1)
        return d1


def train_net(net, epochs=2, batch_size=2, lr=0.1):
    data = TensorDataset(torch.randn(8, 3, 16, 16), torch.randint(0, 2, (8, 1, 16, 16)))
    train_loader = DataLoader(data, batch_size=batch_size, shuffle=True)
    optimizer = optim.RMSprop(net.parameters(), lr=lr, weight_decay=1e-8)
    if net.n_classes > 1:
        criterion = nn.CrossEntropyLoss()
    else:
        criterion = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        net.train()
        epoch_loss = 0
        for imgs, true_masks in train_loader:
            imgs = imgs.to(dtype=torch.float32)
            mask_type = torch.float32 if net.n_classes == 1 else torch.long
            true_masks = true_masks.to(dtype=mask_type)
            masks_pred = net(imgs)
            loss = criterion(masks_pred, true_masks)
            epoch_loss += loss.item()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, epoch_loss)


if __name__ == "__main__":
    train_net(UNet3Plus(n_channels=3, n_classes=1))
