import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def vgg_features(config=(16, 16, "M", 32, 32, 32, "M"), channels=3):
    layers = []
    for width in config:
        if width == "M":
            layers.append(nn.MaxPool2d(2, 2, return_indices=True))
        else:
            layers += [nn.Conv2d(channels, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU()]
            channels = width
    return nn.Sequential(*layers)


class SegNet(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        encoder = list(vgg_features().children())
        self.stage1_encoder = nn.Sequential(*encoder[:6])
        self.stage2_encoder = nn.Sequential(*encoder[7:16])
        self.pool = nn.MaxPool2d(2, 2, return_indices=True)

        decoder = copy.deepcopy(encoder)
        decoder = [layer for layer in reversed(decoder) if not isinstance(layer, nn.MaxPool2d)]
        decoder[-1] = nn.Conv2d(16, 16, 3, padding=1)
        decoder = [item for i in range(0, len(decoder), 3) for item in decoder[i : i + 3][::-1]]
        for i, module in enumerate(decoder):
            if isinstance(module, nn.Conv2d) and module.in_channels != module.out_channels:
                decoder[i + 1] = nn.BatchNorm2d(module.in_channels)
                decoder[i] = nn.Conv2d(module.out_channels, module.in_channels, 3, padding=1)
        self.stage1_decoder = nn.Sequential(*decoder[0:9])
        self.stage2_decoder = nn.Sequential(*decoder[9:12], nn.Conv2d(16, num_classes, 3, padding=1))

    def forward(self, x):
        x = self.stage1_encoder(x)
        size1 = x.size()
        x, indices1 = self.pool(x)
        x = self.stage2_encoder(x)
        size2 = x.size()
        x, indices2 = self.pool(x)
        x = self.stage1_decoder(F.max_unpool2d(x, indices2, 2, 2, output_size=size2))
        return self.stage2_decoder(F.max_unpool2d(x, indices1, 2, 2, output_size=size1))


if __name__ == "__main__":
    model = SegNet(4)
    print(model(torch.rand(2, 3, 16, 16)).shape)
    print(len(list(model.parameters())), sum(1 for _ in model.named_parameters(remove_duplicate=False)))
