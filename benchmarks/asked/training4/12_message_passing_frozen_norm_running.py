import torch
from torch import nn


class MPNN(nn.Module):
    def __init__(self, d_in=16, d_h=32):
        super().__init__()
        self.message_passing = nn.Sequential(nn.Linear(d_in, d_h), nn.ReLU(), nn.Linear(d_h, d_h))
        self.bn = nn.BatchNorm1d(d_h)
        self.predictor = nn.Sequential(nn.Linear(d_h, d_h), nn.ReLU(), nn.Linear(d_h, 1))

    def forward(self, nodes):
        h = self.message_passing(nodes).mean(1)
        return self.predictor(self.bn(h))


def load_pretrained(path=None, freeze_encoder=True):
    model = MPNN()
    if path is not None:
        model.load_state_dict(torch.load(path, map_location="cpu"))
    model.message_passing.requires_grad_(False)
    model.bn.requires_grad_(False)
    return model


def main():
    torch.manual_seed(0)
    model = load_pretrained()
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    criterion = nn.MSELoss()
    batches = [(torch.randn(8, 5, 16), torch.randn(8, 1)) for _ in range(10)]
    for epoch in range(3):
        model.train()
        for nodes, targets in batches:
            optimizer.zero_grad()
            preds = model(nodes)  # asked: TL226
            loss = criterion(preds, targets)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item(), model.bn.running_mean[:3])


if __name__ == "__main__":
    main()
