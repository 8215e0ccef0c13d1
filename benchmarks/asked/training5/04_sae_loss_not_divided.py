from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    lr: float = 1e-3
    batch_size: int = 4
    effective_batch_size: int = 16
    sparsity_coeff: float = 0.1


class SAE(nn.Module):
    def __init__(self, n_dict, d_in):
        super().__init__()
        self.encoder = nn.Linear(d_in, n_dict)
        self.decoder = nn.Linear(n_dict, d_in)

    def forward(self, x):
        c = F.relu(self.encoder(x))
        return self.decoder(c), c


def calc_loss(config, x, x_hat, c):
    return F.mse_loss(x_hat, x) + config.sparsity_coeff * c.abs().mean()


def run(config, loader, model, num_epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=config.lr)
    n_gradient_accumulation_steps = config.effective_batch_size // config.batch_size
    grad_updates = 0
    for _ in range(num_epochs):
        for batch_idx, (acts,) in enumerate(loader):
            is_grad_step = (batch_idx + 1) % n_gradient_accumulation_steps == 0
            x_hat, c = model(acts)
            loss = calc_loss(config, acts, x_hat, c)
            loss.backward()  # asked: TL212
            if is_grad_step:
                optimizer.step()
                optimizer.zero_grad()
                grad_updates += 1
    return grad_updates


if __name__ == "__main__":
    config = Config()
    loader = DataLoader(TensorDataset(torch.randn(64, 32)), batch_size=config.batch_size, shuffle=True)
    print(run(config, loader, SAE(64, 32), num_epochs=2))
