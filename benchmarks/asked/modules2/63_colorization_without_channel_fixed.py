import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class LabImages(Dataset):
    def __init__(self, n=64):
        self.lab = np.random.rand(n, 32, 32, 3).astype(np.float32)

    def __len__(self):
        return len(self.lab)

    def __getitem__(self, index):
        image = torch.from_numpy(self.lab[index])
        return image[:, :, 0], image[:, :, 1:].permute(2, 0, 1)


class ColorNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 64, kernel_size=3, stride=2, padding=1)
        self.bn1 = nn.BatchNorm2d(64)
        self.conv2 = nn.Conv2d(64, 2, kernel_size=3, padding=1)
        self.upsample = nn.Upsample(scale_factor=2)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        return torch.tanh(self.conv2(self.upsample(x)))


model = ColorNet()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(2):
    for l_images, ab_images in DataLoader(LabImages(), batch_size=16, shuffle=True):
        l_images = l_images.unsqueeze(1)
        outputs = model(l_images)
        loss = criterion(outputs, ab_images)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
