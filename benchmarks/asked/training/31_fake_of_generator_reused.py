import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")
latent_dim = 16
total_epochs = 2
g_update_factor = 3

netG = nn.Sequential(nn.Linear(latent_dim, 64), nn.LeakyReLU(0.2), nn.Linear(64, 784), nn.Tanh()).to(dev)
netD = nn.Sequential(nn.Linear(784, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1), nn.Sigmoid()).to(dev)
bce_loss = nn.BCELoss()
optG = torch.optim.Adam(netG.parameters(), lr=2e-4)
optD = torch.optim.Adam(netD.parameters(), lr=2e-4)
data_stream = DataLoader(TensorDataset(torch.randn(64, 1, 28, 28), torch.zeros(64)), batch_size=16, shuffle=True)

for epoch in range(total_epochs):
    for batch_id, (real_batch, _) in enumerate(data_stream):
        real_batch = real_batch.view(-1, 784).to(dev)
        bsz = real_batch.shape[0]

        for _ in range(g_update_factor):
            z = torch.randn(bsz, latent_dim).to(dev)
            fake_batch = netG(z)
            gen_scores = netD(fake_batch).view(-1)
            g_loss = bce_loss(gen_scores, torch.ones_like(gen_scores))
            g_loss.backward()
            optG.step()
            netG.zero_grad()

        netD.zero_grad()
        real_scores = netD(real_batch).view(-1)
        real_loss = bce_loss(real_scores, torch.ones_like(real_scores))
        fake_scores = netD(fake_batch).view(-1)
        fake_loss = bce_loss(fake_scores, torch.zeros_like(fake_scores))
        d_loss = (real_loss + fake_loss) / 2
        d_loss.backward()  # asked: TL104
        optD.step()
