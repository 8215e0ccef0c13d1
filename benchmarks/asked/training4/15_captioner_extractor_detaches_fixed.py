import torch
import torch.nn.functional as F
from torch import nn


class Extractor(nn.Module):
    def __init__(self, vit):
        super().__init__()
        self.vit = vit

    def forward(self, img):
        latents = self.vit(img)
        return latents.clone()


class ViT(nn.Module):
    def __init__(self, dim=32, patch=8):
        super().__init__()
        self.to_patch = nn.Conv2d(3, dim, patch, stride=patch)
        self.layer = nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True)

    def forward(self, img):
        return self.layer(self.to_patch(img).flatten(2).transpose(1, 2))


class CoCa(nn.Module):
    def __init__(self, img_encoder, dim=32, num_tokens=100):
        super().__init__()
        self.img_encoder = img_encoder
        self.token_emb = nn.Embedding(num_tokens, dim)
        self.cross = nn.MultiheadAttention(dim, 4, batch_first=True)
        self.to_logits = nn.Linear(dim, num_tokens)

    def forward(self, text, images):
        labels, text = text[:, 1:], text[:, :-1]
        image_tokens = self.img_encoder(images)
        tokens = self.token_emb(text)
        tokens = tokens + self.cross(tokens, image_tokens, image_tokens)[0]
        logits = self.to_logits(tokens)
        return F.cross_entropy(logits.transpose(1, 2), labels)


coca = CoCa(Extractor(ViT()))
opt = torch.optim.Adam(coca.parameters(), lr=3e-4)
for step in range(3):
    text, images = torch.randint(0, 100, (4, 16)), torch.randn(4, 3, 32, 32)
    loss = coca(text, images)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())
