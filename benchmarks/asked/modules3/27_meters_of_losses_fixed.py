import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class MoleculeVAE(nn.Module):
    def __init__(self, atoms=20, size=32):
        super().__init__()
        self.embed = nn.Embedding(atoms, size)
        self.encoder = nn.GRU(size, size, batch_first=True)
        self.mean, self.var = nn.Linear(size, 8), nn.Linear(size, 8)
        self.decoder = nn.Linear(8, atoms)

    def forward(self, atoms, beta):
        _, h = self.encoder(self.embed(atoms))
        mean, log_var = self.mean(h[-1]), -torch.abs(self.var(h[-1]))
        kl = -0.5 * torch.sum(1.0 + log_var - mean * mean - torch.exp(log_var)) / atoms.size(0)
        scores = self.decoder(mean + torch.exp(log_var / 2) * torch.randn_like(mean))
        loss = nn.functional.cross_entropy(scores, atoms[:, 0])
        word_acc = (scores.argmax(1) == atoms[:, 0]).float().mean()
        topo_acc = (scores.argmax(1) == atoms[:, -1]).float().mean()
        return loss + beta * kl, kl.item(), word_acc, topo_acc


model = MoleculeVAE().cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loader = DataLoader(TensorDataset(torch.randint(0, 20, (64, 12))), batch_size=16, shuffle=True)
meters = np.zeros(4)
total_step = 0

for epoch in range(2):
    for (batch,) in loader:
        total_step += 1
        model.zero_grad()
        loss, kl_div, wacc, tacc = model(batch.cuda(), beta=0.1)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        meters = meters + np.array([kl_div, loss.item(), wacc.item() * 100, tacc.item() * 100])
        if total_step % 4 == 0:
            print(meters / 4)
            meters *= 0
