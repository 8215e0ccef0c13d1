import torch
import torch.nn as nn
import torch.nn.functional as F


class AugmentedConv(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, dk, dv, Nh):
        super(AugmentedConv, self).__init__()
        self.dk, self.dv, self.Nh = dk, dv, Nh
        self.conv_out = nn.Conv2d(in_channels, out_channels - dv, kernel_size, padding=1)
        self.qkv_conv = nn.Conv2d(in_channels, 2 * dk + dv, kernel_size=1)
        self.attn_out = nn.Conv2d(dv, dv, 1)

    def forward(self, x):
        batch, _, height, width = x.size()
        conv_out = self.conv_out(x)
        flat_q, flat_k, flat_v = self.compute_flat_qkv(x)
        logits = torch.matmul(flat_q.transpose(2, 3), flat_k)
        weights = F.softmax(logits, dim=-1)
        attn_out = torch.matmul(weights, flat_v.transpose(2, 3))
        attn_out = torch.reshape(attn_out, (batch, self.Nh, self.dv // self.Nh, height, width))  # asked: TL703
        attn_out = self.combine_heads_2d(attn_out)
        attn_out = self.attn_out(attn_out)
        return torch.cat((conv_out, attn_out), dim=1)

    def compute_flat_qkv(self, x):
        N, _, H, W = x.size()
        q, k, v = torch.split(self.qkv_conv(x), [self.dk, self.dk, self.dv], dim=1)
        q = self.split_heads_2d(q) * (self.dk // self.Nh) ** -0.5
        k, v = self.split_heads_2d(k), self.split_heads_2d(v)
        flat_q = torch.reshape(q, (N, self.Nh, self.dk // self.Nh, H * W))
        flat_k = torch.reshape(k, (N, self.Nh, self.dk // self.Nh, H * W))
        flat_v = torch.reshape(v, (N, self.Nh, self.dv // self.Nh, H * W))
        return flat_q, flat_k, flat_v

    def split_heads_2d(self, x):
        batch, channels, height, width = x.size()
        return torch.reshape(x, (batch, self.Nh, channels // self.Nh, height, width))

    def combine_heads_2d(self, x):
        batch, num_heads, depth, H, W = x.size()
        return torch.reshape(x, (batch, num_heads * depth, H, W))


if __name__ == "__main__":
    layer = AugmentedConv(3, 20, kernel_size=3, dk=40, dv=4, Nh=4)
    print(layer(torch.randn(2, 3, 8, 8)).shape)
