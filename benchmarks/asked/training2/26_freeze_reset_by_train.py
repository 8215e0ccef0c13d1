import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphNet(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, dim), nn.BatchNorm1d(dim), nn.ReLU(), nn.Linear(dim, dim), nn.BatchNorm1d(dim))
        self.head = nn.Linear(dim, 1)
        self._frozen = False

    def _set_requires_grad(self, modules, requires_grad):
        for module in modules:
            for param in module.parameters():
                param.requires_grad = requires_grad
            for m in module.modules():
                if isinstance(m, (nn.BatchNorm1d, nn.BatchNorm2d)):
                    if requires_grad:
                        m.train()
                    else:
                        m.eval()

    def freeze(self):
        self._set_requires_grad([self.encoder], False)
        self._frozen = True


    def forward(self, x):
        return self.head(self.encoder(x)).squeeze(-1)


def finetune(model, batches, epochs=3):
    model.freeze()
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    for _ in range(epochs):
        model.train()  # asked: TL226
        for x, y in batches:
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    finetune(GraphNet(), [(torch.randn(8, 8), torch.randn(8)) for _ in range(3)])
