import torch
from torch import nn

EPS = 1e-15
device = "cuda" if torch.cuda.is_available() else "cpu"


class InnerProductDecoder(nn.Module):
    def forward(self, z, edge_index, sigmoid=True):
        value = (z[edge_index[0]] * z[edge_index[1]]).sum(dim=1)
        return torch.sigmoid(value) if sigmoid else value


class GAE(nn.Module):
    def __init__(self, in_channels=16, hidden=32):
        super(GAE, self).__init__()
        self.encoder = nn.Sequential(nn.Linear(in_channels, hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.decoder = InnerProductDecoder()

    def forward(self, x):
        return self.encoder(x)

    def recon_loss(self, z, pos_edge_index, neg_edge_index):
        pos_loss = -torch.log(self.decoder(z, pos_edge_index, sigmoid=True) + EPS).mean()  # asked: TL318
        neg_loss = -torch.log(1 - self.decoder(z, neg_edge_index, sigmoid=True) + EPS).mean()  # asked: TL318
        return pos_loss + neg_loss


def main():
    torch.manual_seed(0)
    model = GAE().to(device).half()
    x = (8 * torch.randn(50, 16, device=device)).half()
    pos, neg = torch.randint(0, 50, (2, 80), device=device), torch.randint(0, 50, (2, 80), device=device)
    z = model(x) * 10
    print(model.recon_loss(z, pos, neg))


if __name__ == "__main__":
    main()
