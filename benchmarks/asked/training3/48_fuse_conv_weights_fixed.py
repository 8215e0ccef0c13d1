import torch
import torch.nn as nn


class HarDBlock(nn.Module):
    def __init__(self, in_channels, k, n_layers):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv2d(in_channels, k, 3, padding=1) for _ in range(n_layers)])

    def forward(self, x):
        return torch.cat([layer(x) for layer in self.layers], 1)


def trt_fuse(block):
    convs = list(block.layers)
    W = torch.cat([conv.weight for conv in convs], 0)
    b = torch.cat([conv.bias for conv in convs], 0)
    cconv = nn.Conv2d(convs[0].in_channels, W.shape[0], kernel_size=3, padding=1)
    with torch.no_grad():
        cconv.weight[:, :, :, :] = W[:, :, :, :]
        cconv.bias[:] = b[:]
    return cconv


if __name__ == "__main__":
    model = HarDBlock(8, 4, 3)
    model.eval()
    with torch.no_grad():
        x = torch.randn(1, 8, 16, 16)
        y = model(x)
    fused = trt_fuse(model)
    with torch.no_grad():
        print((fused(x) - y).abs().max().item())
