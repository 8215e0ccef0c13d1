import torch
import torch.nn as nn
import torch.nn.functional as F


class RelationBlock(nn.Module):
    def __init__(self, width, dropout_prob):
        super(RelationBlock, self).__init__()
        self.width = width
        self.dropout_prob = dropout_prob
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, width)
        self.v = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def masked_attention(self, q, k, v, mask):
        score = torch.mm(q, k.t()) * (self.width ** -0.5)
        score = score + (1.0 - mask) * -1e4
        score = F.softmax(score, dim=-1)
        score = F.dropout(score, p=self.dropout_prob)  # asked: TL407
        return torch.mm(score, v)

    def forward(self, x, mask):
        out = self.masked_attention(self.q(x), self.k(x), self.v(x), mask)
        return self.norm(x + out)


class TableNet(nn.Module):
    def __init__(self, n_features, width, n_blocks, dropout_prob=0.4):
        super(TableNet, self).__init__()
        self.first = nn.Sequential(nn.Linear(n_features, width), nn.ReLU())
        self.blocks = nn.ModuleList([RelationBlock(width, dropout_prob) for _ in range(n_blocks)])
        self.last = nn.Linear(width, 3)

    def forward(self, nodes, mask):
        h = self.first(nodes)
        for block in self.blocks:
            h = block(h, mask)
        return self.last(h)


if __name__ == "__main__":
    net = TableNet(10, 16, 2).eval()
    nodes, mask = torch.randn(7, 10), torch.ones(7, 7)
    with torch.no_grad():
        print((net(nodes, mask) - net(nodes, mask)).abs().max())
