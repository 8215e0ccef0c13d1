import torch
import torch.nn as nn


class CAMModule(nn.Module):
    def __init__(self, in_dim):
        super().__init__()
        self.gamma = nn.Parameter(torch.zeros(1))
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x):
        b, c, h, w = x.size()
        q = x.view(b, c, -1)
        attention = self.softmax(torch.bmm(q, q.permute(0, 2, 1)))
        return self.gamma * torch.bmm(attention, q).view(b, c, h, w) + x


class PAM_CAM_Layer(nn.Module):
    def __init__(self, in_ch, use_cam=True):
        super(PAM_CAM_Layer, self).__init__()
        self.attn = nn.Sequential(
            nn.Conv2d(in_ch * 2, in_ch, kernel_size=3, padding=1),
            nn.BatchNorm2d(in_ch),
            nn.PReLU(),
            CAMModule(in_ch) if use_cam else nn.Identity(),
            nn.Conv2d(in_ch, in_ch, kernel_size=3, padding=1),
        )

    def forward(self, x):
        return self.attn(x)


class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.pam_attention_1_1 = PAM_CAM_Layer(64, True)
        self.out = nn.Conv2d(64, 5, 1)

    def forward(self, x):
        return self.out(self.pam_attention_1_1(torch.cat([x, x], 1)))


net = Stacked()
