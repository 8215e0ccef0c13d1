import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, num_heads, batch_first=True)  # asked: TL709

    def forward(self, x):
        y = self.norm(x)
        return x + self.attn(y, y, y, need_weights=False)[0]


class MAEEncoder(nn.Module):
    def __init__(self, image_size=32, patch_size=2, emb_dim=192, num_layer=12, num_head=3):
        super().__init__()
        self.cls_token = nn.Parameter(torch.zeros(1, 1, emb_dim))
        self.pos_embedding = nn.Parameter(torch.zeros(1, (image_size // patch_size) ** 2, emb_dim))
        self.patchify = nn.Conv2d(3, emb_dim, patch_size, patch_size)
        self.transformer = nn.Sequential(*[Block(emb_dim, num_head) for _ in range(num_layer)])

    def forward(self, img):
        patches = self.patchify(img).flatten(2).transpose(1, 2) + self.pos_embedding
        patches = torch.cat([self.cls_token.expand(img.size(0), -1, -1), patches], dim=1)
        return self.transformer(patches)


if __name__ == "__main__":
    encoder = MAEEncoder(emb_dim=512, num_layer=2)
    print(encoder(torch.rand(2, 3, 32, 32)).shape)
