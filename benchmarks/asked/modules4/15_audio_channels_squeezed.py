import torch
import torch.nn as nn


class CrossModalMixer(nn.Module):
    def __init__(self, dim=64, n_heads=4, dropout=0.0):
        super().__init__()
        self.dim = dim
        self.cross_attn = nn.MultiheadAttention(dim, n_heads, dropout, batch_first=True)
        self.fc = nn.Linear(dim, dim)

    def forward(self, feature_map, audio_feature):
        flatten_map = feature_map.flatten(2).transpose(1, 2)
        x = self.cross_attn(query=audio_feature, key=flatten_map, value=flatten_map)[0]
        x = torch.sigmoid(self.fc(x))
        fusion_map = torch.einsum("bchw,bc->bchw", feature_map, x.squeeze())  # asked: TL702
        return feature_map + fusion_map


class AVSegHead(nn.Module):
    def __init__(self, dim=64, num_classes=1):
        super().__init__()
        self.audio_proj = nn.Linear(128, dim)
        self.mask = nn.Conv2d(3, dim, 4, stride=4)
        self.fusion_block = CrossModalMixer(dim)
        self.fc = nn.Conv2d(dim, num_classes, 1)

    def forward(self, img, audio):
        audio_feat = self.audio_proj(audio).unsqueeze(1)
        mask_feature = self.mask(img)
        mask_feature = self.fusion_block(mask_feature, audio_feat)
        return self.fc(mask_feature)


if __name__ == "__main__":
    head = AVSegHead().eval()
    print(head(torch.randn(5, 3, 32, 32), torch.randn(5, 128)).shape)
    print(head(torch.randn(1, 3, 32, 32), torch.randn(1, 128)).shape)
