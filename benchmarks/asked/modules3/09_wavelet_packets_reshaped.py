import torch
import torch.nn.functional as F


def haar(images):
    """One level of a Haar transform: the four bands of each channel."""
    a = images[..., ::2, ::2]
    b = images[..., 1::2, ::2]
    c = images[..., ::2, 1::2]
    d = images[..., 1::2, 1::2]
    return torch.stack([a + b + c + d, a - b + c - d, a + b - c - d, a - b - c + d], dim=0) / 2


def packet_histograms(images):
    bands = haar(images)  # bands, batch, channels, height, width
    packets, batch, channels, height, width = bands.shape
    flat = bands.reshape(batch, packets, channels, height * width)  # asked: TL703
    return flat.pow(2).sum(dim=(2, 3))


def divergence(first, second):
    p = F.log_softmax(packet_histograms(first), dim=1)
    q = F.softmax(packet_histograms(second), dim=1)
    return F.kl_div(p, q, reduction="batchmean")


if __name__ == "__main__":
    print(divergence(torch.rand(3, 3, 32, 32), torch.rand(3, 3, 32, 32)))
