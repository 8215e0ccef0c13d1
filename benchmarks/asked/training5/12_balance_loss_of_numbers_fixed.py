import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class GShardGate(nn.Module):
    def __init__(self, d_model, num_expert):
        super().__init__()
        self.gate = nn.Linear(d_model, num_expert)
        self.num_expert = num_expert
        self.loss = None

    def forward(self, x):
        probs = F.softmax(self.gate(x), dim=-1)
        top = probs.argmax(dim=-1)
        share = F.one_hot(top, self.num_expert).float().mean(0)
        self.loss = (share * probs.mean(0)).sum() * self.num_expert
        return top, probs.gather(1, top[:, None])

    def get_loss(self, clear=True):
        loss = self.loss
        if clear:
            self.loss = None
        return loss


class MoELayer(nn.Module):
    def __init__(self, d_model, num_expert=4):
        super().__init__()
        self.gate = GShardGate(d_model, num_expert)
        self.experts = nn.ModuleList([nn.Linear(d_model, d_model) for _ in range(num_expert)])

    def forward(self, x):
        top, weight = self.gate(x)
        out = torch.stack([expert(x) for expert in self.experts], dim=1)
        return x + weight * out[torch.arange(len(x)), top]


def train(model, head, loader, balance_weight=0.01):
    optimizer = torch.optim.Adam([*model.parameters(), *head.parameters()], lr=1e-3)
    for x, y in loader:
        lm_loss = F.cross_entropy(head(model(x)), y)
        loss_list = [layer.gate.get_loss() for layer in model]
        bal_loss = torch.cat([loss.unsqueeze(0) for loss in loss_list]).mean() * balance_weight
        loss = lm_loss + bal_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(lm_loss.item(), bal_loss.item(), bal_loss.requires_grad)


if __name__ == "__main__":
    model = nn.Sequential(MoELayer(16), MoELayer(16))
    data = TensorDataset(torch.randn(64, 16), torch.randint(5, (64,)))
    train(model, nn.Linear(16, 5), DataLoader(data, batch_size=16, shuffle=True))
