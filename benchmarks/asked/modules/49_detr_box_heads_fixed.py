import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class MLP(nn.Module):
    def __init__(self, input_dim, hidden_dim, output_dim, num_layers):
        super().__init__()
        self.num_layers = num_layers
        h = [hidden_dim] * (num_layers - 1)
        self.layers = nn.ModuleList(nn.Linear(n, k) for n, k in zip([input_dim] + h, h + [output_dim]))

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = F.relu(layer(x)) if i < self.num_layers - 1 else layer(x)
        return x


class Boxes(nn.Module):
    def __init__(self, hidden_dim, num_decoder_layers):
        super().__init__()
        bbox_embed = MLP(hidden_dim, hidden_dim, 4, 3)
        self.bbox_embed = nn.ModuleList([copy.deepcopy(bbox_embed) for i in range(num_decoder_layers)])

    def forward(self, hs):
        return torch.stack([self.bbox_embed[lvl](hs[lvl]).sigmoid() for lvl in range(hs.shape[0])])


print(Boxes(16, 6)(torch.rand(6, 2, 10, 16)).shape)
