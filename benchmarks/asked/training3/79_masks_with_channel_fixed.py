import torch
import torch.nn as nn
from torch import optim
from torch.utils.data import DataLoader, Dataset


class BasicDataset(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        return {"image": torch.rand(3, 16, 16), "mask": torch.randint(0, 3, (1, 16, 16)).float()}


class UNet(nn.Module):
    def __init__(self, n_channels, n_classes):
        super(UNet, self).__init__()
        self.n_classes = n_classes
        self.inc = nn.Sequential(nn.Conv2d(n_channels, 8, 3, padding=1), nn.ReLU(inplace=True))
        self.outc = nn.Conv2d(8, n_classes, 1)

    def forward(self, x):
        return self.outc(self.inc(x))


def train_net(net, device, epochs=1, batch_size=2, lr=0.001):
    train_loader = DataLoader(BasicDataset(), batch_size=batch_size, shuffle=True)
    optimizer = optim.RMSprop(net.parameters(), lr=lr, weight_decay=1e-8, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        net.train()
        for batch in train_loader:
            imgs = batch["image"].to(device=device, dtype=torch.float32)
            true_masks = batch["mask"].to(device=device, dtype=torch.long)
            masks_pred = net(imgs)
            loss = criterion(masks_pred, true_masks.squeeze(1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(loss.item())


train_net(UNet(n_channels=3, n_classes=3), torch.device("cpu"))
