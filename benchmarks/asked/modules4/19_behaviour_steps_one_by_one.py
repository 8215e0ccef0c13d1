import torch
import torch.nn as nn


class DLRM(nn.Module):
    def __init__(self, n_items=100, dim=16):
        super().__init__()
        self.emb = nn.Embedding(n_items, dim)
        self.mlp = nn.Sequential(nn.Linear(dim + 4, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, dense, item):
        return self.mlp(torch.cat([dense, self.emb(item)], dim=-1))


class TBSM_Net(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.dlrm = DLRM(dim=dim)
        self.tsl = nn.Linear(dim, dim)
        self.top = nn.Sequential(nn.Linear(2 * dim, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x, item, last_x, last_item):
        H = torch.zeros(x.size(0), x.size(1), 16, device=x.device)
        for j in range(x.size(1)):  # asked: TL804
            H[:, j] = self.dlrm(x[:, j], item[:, j])
        query = self.dlrm(last_x, last_item)
        weights = (self.tsl(H) * query.unsqueeze(1)).sum(-1).softmax(-1)
        context = (weights.unsqueeze(-1) * H).sum(1)
        return torch.sigmoid(self.top(torch.cat([context, query], dim=1)))


if __name__ == "__main__":
    net = TBSM_Net()
    out = net(torch.randn(8, 20, 4), torch.randint(0, 100, (8, 20)), torch.randn(8, 4), torch.randint(0, 100, (8,)))
    print(out.shape)
