import numpy as np
import torch
from torch import nn, optim


class OneDirection(nn.Module):
    def __init__(self, dim_z, vocab_size=1):
        super().__init__()
        self.w = nn.Parameter(torch.randn(vocab_size, dim_z))
        self.criterion = nn.MSELoss()

    def transform(self, z, y, step_sizes):
        return z + self.w[y] * step_sizes

    def compute_loss(self, current, target):
        return self.criterion(current, target)


generator = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 3 * 8 * 8), nn.Tanh())
assessor = nn.Sequential(nn.Linear(3 * 8 * 8, 32), nn.ReLU(), nn.Linear(32, 1))
for p in list(generator.parameters()) + list(assessor.parameters()):
    p.requires_grad = False
transformation = OneDirection(16)
optimizer = optim.Adam(transformation.parameters(), lr=0.0002)
optim_iter, batch_size = 0, 4
num_samples = 24
zs = np.random.randn(num_samples, 16)
for batch_start in range(0, num_samples, batch_size):
    z = torch.from_numpy(zs[batch_start:min(num_samples, batch_start + batch_size)]).float()
    step_sizes = torch.from_numpy(np.random.uniform(-0.5, 0.5, (len(z), 1))).float()
    y = torch.zeros(len(z), dtype=torch.long)
    out_scores = assessor(generator(z)).squeeze(1)
    target = out_scores + step_sizes.squeeze(1)
    new_scores = assessor(generator(transformation.transform(z, y, step_sizes))).squeeze(1)
    loss = transformation.compute_loss(new_scores, target)
    loss.backward()  # asked: TL201
    optimizer.step()
    optim_iter += 1
    print("batch", batch_start, loss.item())
