import torch
import torch.nn as nn


def normal_init(m, std=0.02, normal_func=nn.init.normal_):
    """Initialise weights of convolutions, linear layers and batch norms by their names."""
    name = m.__class__.__name__
    if getattr(m, "weight", None) is not None and (name.find("Conv") != -1 or name.find("Linear") != -1):
        normal_func(m.weight.data, 0.0, std)
        if getattr(m, "bias", None) is not None:
            nn.init.constant_(m.bias.data, 0.0)
    elif name.find("BatchNorm") != -1:
        normal_func(m.weight.data, 1.0, std)
        nn.init.constant_(m.bias.data, 0)


class UNet(nn.Module):
    def __init__(self, channels=(16, 32), out_channels=3):
        super().__init__()
        self.down = nn.Sequential(nn.Conv3d(1, channels[0], 3, stride=2, padding=1), nn.InstanceNorm3d(channels[0]), nn.PReLU())
        self.bottom = nn.Sequential(nn.Conv3d(channels[0], channels[1], 3, padding=1), nn.PReLU())
        self.up = nn.ConvTranspose3d(channels[1], out_channels, 2, stride=2)

    def forward(self, x):
        return self.up(self.bottom(self.down(x)))


def main():
    model = UNet()
    model.apply(normal_init(normal_func=torch.nn.init.trunc_normal_))  # asked: TL416
    optimizer = torch.optim.Adam(model.parameters(), 1e-4)
    loss = nn.functional.cross_entropy(model(torch.rand(2, 1, 8, 8, 8)), torch.randint(3, (2, 8, 8, 8)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
