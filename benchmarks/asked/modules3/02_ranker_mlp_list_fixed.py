from typing import List, Optional

import torch


def init_linear(module):
    if isinstance(module, torch.nn.Linear):
        torch.nn.init.xavier_uniform_(module.weight)
        torch.nn.init.constant_(module.bias, 0)


class Mlp(torch.nn.Module):
    def __init__(self, in_features: int, layer_sizes: List[int], batch_norm: bool = True, dropout: Optional[float] = None):
        super().__init__()
        blocks = []
        previous = in_features
        for size in layer_sizes[:-1]:
            blocks.append(torch.nn.Linear(previous, size, bias=True))
            if batch_norm:
                blocks.append(torch.nn.BatchNorm1d(size))
            blocks.append(torch.nn.ReLU())
            if dropout:
                blocks.append(torch.nn.Dropout(dropout))
            previous = size
        blocks.append(torch.nn.Linear(previous, layer_sizes[-1]))
        for block in blocks:
            block.apply(init_linear)
        self.layers = torch.nn.ModuleList(blocks)

    def forward(self, x: torch.Tensor):
        net = x
        shared = None
        for i, layer in enumerate(self.layers):
            net = layer(net)
            if i == 1:
                shared = net
        return {"output": net, "shared": shared}


class Ranker(torch.nn.Module):
    def __init__(self, features: int):
        super().__init__()
        self.backbone = Mlp(features, [64, 32])
        self.heads = torch.nn.ModuleDict({name: Mlp(32, [16, 1], batch_norm=False) for name in ("like", "reply")})

    def forward(self, x):
        hidden = self.backbone(x)["output"]
        return {name: head(hidden)["output"] for name, head in self.heads.items()}


if __name__ == "__main__":
    print(sum(p.numel() for p in Ranker(10).parameters()))
