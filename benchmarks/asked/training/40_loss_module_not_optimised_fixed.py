import torch
import torch.nn as nn
import torch.nn.functional as F


class AlignmentLoss(nn.Module):
    def __init__(self, in_dim, out_dim, layers=2):
        super().__init__()
        self.projectors = nn.ModuleList(
            nn.Sequential(nn.Linear(in_dim, 32), nn.SiLU(), nn.Linear(32, out_dim)) for _ in range(layers)
        )

    def forward(self, hidden_states, targets):
        loss = 0.0
        for projector, hidden, target in zip(self.projectors, hidden_states, targets):
            loss = loss - F.cosine_similarity(projector(hidden), target, dim=-1).mean()
        return loss / len(self.projectors)


class Denoiser(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.first = nn.Linear(dim, 24)
        self.second = nn.Linear(24, 24)
        self.out = nn.Linear(24, dim)

    def forward(self, x):
        h1 = torch.relu(self.first(x))
        h2 = torch.relu(self.second(h1))
        return self.out(h2), [h1, h2]


def main():
    model = Denoiser(10)
    align_loss = AlignmentLoss(24, 12)
    optimizer = torch.optim.AdamW([*model.parameters(), *align_loss.parameters()], lr=1e-4)
    for step in range(5):
        x = torch.randn(8, 10)
        noise = torch.randn_like(x)
        pred, hidden = model(x + 0.3 * noise)
        features = [torch.randn(8, 12), torch.randn(8, 12)]
        loss = F.mse_loss(pred, noise) + 0.5 * align_loss(hidden, features)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item())


if __name__ == "__main__":
    main()
