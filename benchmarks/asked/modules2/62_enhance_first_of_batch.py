import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class ESPCN(nn.Module):
    def __init__(self, scale_factor, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, 64, 5, padding=2)
        self.conv2 = nn.Conv2d(64, channels * scale_factor**2, 3, padding=1)
        self.shuffle = nn.PixelShuffle(scale_factor)
        self.norm = nn.BatchNorm2d(64)

    def forward(self, x):
        x = torch.tanh(self.norm(self.conv1(x)))
        return torch.sigmoid(self.shuffle(self.conv2(x)))

    @torch.no_grad()
    def enhance(self, x):
        self.eval()
        x = self.forward(x)
        return x.clamp(0, 1).mul(255).to(torch.uint8).squeeze(0)


test_dataloader = DataLoader(TensorDataset(torch.rand(8, 1, 50, 50), torch.rand(8, 1, 200, 200)), batch_size=4)
model = ESPCN(4, 1)
test_images, test_labels = next(iter(test_dataloader))
sr_img = model.enhance(test_images[0])  # asked: TL710
print(sr_img.shape)
