import math

import torch
import torch.nn.functional as F


class KANLinear(torch.nn.Module):
    def __init__(self, in_features, out_features, grid_size=5):
        super(KANLinear, self).__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.base_weight = torch.nn.Parameter(torch.empty(out_features, in_features))
        self.spline_weight = torch.nn.Parameter(torch.empty(out_features, in_features))
        torch.nn.init.kaiming_uniform_(self.base_weight, a=math.sqrt(5))
        torch.nn.init.kaiming_uniform_(self.spline_weight, a=math.sqrt(5))

    def forward(self, x: torch.Tensor):
        assert x.size(-1) == self.in_features
        original_shape = x.shape
        x = x.view(-1, self.in_features)  # asked: TL704
        base_output = F.linear(F.silu(x), self.base_weight)
        spline_output = F.linear(torch.sin(x), self.spline_weight)
        output = base_output + spline_output
        return output.view(*original_shape[:-1], self.out_features)


class Mixer(torch.nn.Module):
    def __init__(self, seq_len, width):
        super().__init__()
        self.over_time = KANLinear(seq_len, seq_len)
        self.over_width = KANLinear(width, width)

    def forward(self, x):
        x = x + self.over_time(x.transpose(1, 2)).transpose(1, 2)
        return x + self.over_width(x)


if __name__ == "__main__":
    print(Mixer(12, 6)(torch.randn(3, 12, 6)).shape)
