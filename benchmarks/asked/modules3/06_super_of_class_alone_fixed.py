import torch
from torch import nn


class PatchEncoder(nn.Module):
    def __init__(self, image_size, patch_size, dim):
        super().__init__()
        self.patches = nn.Conv2d(3, dim, patch_size, stride=patch_size)

    def forward(self, image):
        return self.patches(image).flatten(2).transpose(1, 2)


class Embodied(nn.Module):
    def __init__(self, image_size=64, patch_size=16, dim=96, tokens=1000):
        super(Embodied, self).__init__()

        self.encoder = PatchEncoder(image_size, patch_size, dim)
        self.embed = nn.Embedding(tokens, dim)
        self.decoder = nn.TransformerEncoderLayer(dim, 4, batch_first=True)

    def forward(self, image, text):
        encoded = self.encoder(image)
        return self.decoder(torch.cat([encoded, self.embed(text)], dim=1))


if __name__ == "__main__":
    model = Embodied()
    print(model(torch.randn(1, 3, 64, 64), torch.randint(0, 1000, (1, 12))).shape)
