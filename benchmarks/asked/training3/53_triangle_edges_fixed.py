import torch


def edge_norm(edges):
    return torch.sqrt((edges**2).sum(2) + 1e-12)


def triangle_loss(verts, edge2verts):
    indices = edge2verts.view(-1)
    verts = torch.index_select(verts, 1, indices).view(verts.size(0), -1, 4, 3)
    A, B, C, D = verts[:, :, 0], verts[:, :, 1], verts[:, :, 2], verts[:, :, 3]
    n1 = torch.cross(B - A, C - A, dim=2)
    n2 = torch.cross(D - A, B - A, dim=2)
    cos = (n1 * n2).sum(2) / (edge_norm(n1) * edge_norm(n2) + 1e-6)
    return (1 - cos).mean()


class MeshNet(torch.nn.Module):
    def __init__(self, n=6):
        super().__init__()
        self.mean_v = torch.nn.Parameter(torch.randn(n, 3))
        self.fc = torch.nn.Linear(4, n * 3)
        torch.nn.init.zeros_(self.fc.weight)
        torch.nn.init.zeros_(self.fc.bias)

    def forward(self, feat):
        return self.mean_v + self.fc(feat).view(feat.size(0), -1, 3)


net = MeshNet()
opt = torch.optim.Adam(net.parameters(), 1e-4)
edge2verts = torch.tensor([[0, 1, 2, 2], [1, 2, 3, 4], [0, 0, 1, 5]])
for _ in range(2):
    loss = triangle_loss(net(torch.randn(2, 4)), edge2verts)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net.mean_v.sum().item())
