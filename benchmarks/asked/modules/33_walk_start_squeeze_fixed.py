import torch
import torch.nn as nn


class CurveGrouping(nn.Module):
    def __init__(self, in_channel, curve_num):
        super(CurveGrouping, self).__init__()
        self.curve_num = curve_num
        self.att = nn.Conv1d(in_channel, 1, kernel_size=1, bias=False)
        self.out = nn.Linear(in_channel, 4)

    def forward(self, x):
        x_att = torch.sigmoid(self.att(x))
        x = x * x_att
        _, start_index = torch.topk(x_att, self.curve_num, dim=2, sorted=False)
        start_index = start_index.squeeze(1)
        points = x.transpose(1, 2)
        picked = torch.gather(points, 1, start_index.unsqueeze(-1).expand(-1, -1, points.size(-1)))
        return self.out(picked)


print(CurveGrouping(6, 10)(torch.randn(16, 6, 100)).shape)
