import torch.nn as nn
from torchvision.models.utils import load_state_dict_from_url  # asked: TL905

URLS = {"unet11": "https://example.org/unet11.pth"}


class UNet(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(*[nn.Conv2d(a, b, 3, padding=1) for a, b in zip(channels, channels[1:])])

    def forward(self, x):
        return self.body(x)


def unet11(pretrained=False, progress=True):
    model = UNet([3, 16, 32, 1])
    if pretrained:
        model.load_state_dict(load_state_dict_from_url(URLS["unet11"], progress=progress, map_location="cpu"))
    return model
