import math

import torch
from torch import nn


class ConcatSinusoidalEncoding(nn.Module):
    def __init__(self, d_model=16, max_len=16):
        super().__init__()
        self.d_model = d_model
        self.register_buffer("pe", self.build_position(d_model, max_len))

    @staticmethod
    def build_position(d_model, max_len, device=None):
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        if device is not None:
            pe = pe.to(device=device)
        return pe

    def max_len(self):
        return self.pe.shape[0]

    def forward(self, x):
        if max(x_i.shape[0] for x_i in x) > self.max_len():
            longest = max(x_i.shape[0] for x_i in x)
            self.register_buffer("pe", self.build_position(self.d_model, longest, device=self.pe.device))
        return [torch.cat((x_i, self.pe[: x_i.shape[0], :]), dim=-1) for x_i in x]


if __name__ == "__main__":
    print([t.shape for t in ConcatSinusoidalEncoding()([torch.randn(40, 4), torch.randn(3, 4)])])
