import numpy as np
import pytorch_lightning as pl
import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader

data = np.random.rand(20, 2, 8).astype(np.float32)
h_dim, z_dim = 10, 2


class VAE(pl.LightningModule):
    def __init__(self, data):
        super(VAE, self).__init__()
        self.data = data
        self.train_data, self.val_data = data[:16], data[16:]
        self.to_hidden = nn.Linear(8, 32)
        self.to_mean = nn.Linear(32, z_dim)
        self.to_log_sigma = nn.Linear(32, z_dim)
        self.from_code = nn.Linear(z_dim, 32)
        self.to_output = nn.Linear(32, 8)

    def sampling(self, z_mean, z_log_sigma):
        std = z_log_sigma.mul(0.5).exp()
        return z_mean + std * torch.randn_like(std)

    def encoder(self, inp):
        z = self.to_hidden(inp)
        z_mean = self.to_mean(z)
        z_log_sigma = self.to_log_sigma(z)
        return z_mean, z_log_sigma

    def decoder(self, code):
        h = F.relu(self.from_code(code))
        return self.to_output(h)

    def forward(self, inp):
        mean, log_sigma = self.encoder(inp)
        return self.decoder(self.sampling(mean, log_sigma)), mean, log_sigma

    def training_step(self, batch, batch_idx):
        out, mean, log_sigma = self(batch)
        kl = -0.5 * torch.mean(1 + log_sigma - mean.pow(2) - log_sigma.exp())
        loss = F.mse_loss(out, batch) + kl
        self.log("train_loss", loss)
        return loss

    def train_dataloader(self):
        return DataLoader(self.train_data, batch_size=4, shuffle=True)

    def configure_optimizers(self):
        optimizer = optim.Adam(self.parameters(), lr=1e-3)
        return optimizer


if __name__ == "__main__":
    trainer = pl.Trainer(max_epochs=2)
    trainer.fit(VAE(data))
