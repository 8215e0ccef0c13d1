import torch
import torch.nn as nn


class ResBlock(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.linear = nn.Linear(hidden_size, hidden_size)
        nn.init.zeros_(self.linear.weight)
        self.act = nn.SiLU()

    def forward(self, x):
        return x + self.act(self.linear(x))


def add_medusa_heads(model, num_heads=4, num_layers=2):
    hidden_size = model.lm_head.weight.shape[-1]
    vocab_size = model.lm_head.weight.shape[0]
    model.medusa_num_heads = num_heads
    model.medusa_head = nn.ModuleList(
        [
            nn.Sequential(
                *([ResBlock(hidden_size) for _ in range(num_layers)]),
                nn.Linear(hidden_size, vocab_size, bias=False),
            )
            for _ in range(num_heads)
        ]
    )
    for i in range(num_heads):
        model.medusa_head[i][-1].weight.data[:] = model.lm_head.weight.data[:]
    return model


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.lm_head = nn.Linear(16, 50, bias=False)

    def forward(self, ids):
        h = self.embed(ids)
        return torch.stack([head(h) for head in self.medusa_head])


print(add_medusa_heads(Language())(torch.randint(0, 50, (2, 7))).shape)
