import torch
import torch.nn.functional as F
from torch import nn


def gdpp_loss(phi_fake, phi_real, backward=True):
    def compute_diversity(phi):
        phi = F.normalize(phi, p=2, dim=1)
        gram = torch.mm(phi, phi.t())
        vals, vecs = torch.linalg.eigh(gram)
        return vals, vecs

    def normalize_min_max(eig_vals):
        min_v, max_v = torch.min(eig_vals), torch.max(eig_vals)
        if min_v == max_v:
            return eig_vals
        return (eig_vals - min_v) / (max_v - min_v)

    fake_vals, fake_vecs = compute_diversity(phi_fake)
    real_vals, real_vecs = compute_diversity(phi_real)
    magnitude = 0.0001 * F.mse_loss(fake_vals, real_vals)
    structure = -torch.sum(torch.mul(fake_vecs, real_vecs), 0)
    weighted = torch.sum(torch.mul(normalize_min_max(real_vals.detach()), structure))
    loss = magnitude + weighted
    if backward:
        loss.backward(retain_graph=True)
    return loss.item()


if __name__ == "__main__":
    gen, feats = nn.Linear(4, 16), nn.Linear(16, 8)
    optimizer = torch.optim.Adam(gen.parameters())
    for _ in range(2):
        optimizer.zero_grad()
        gdpp_loss(feats(gen(torch.randn(6, 4))), feats(torch.randn(6, 16)).detach())
        optimizer.step()
