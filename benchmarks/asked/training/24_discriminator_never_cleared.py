import torch
import torch.nn as nn
import torch.optim as optim


class Generator(nn.Module):
    def __init__(self, latent, size):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(True), nn.Linear(32, size), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(size, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1), nn.Sigmoid())

    def forward(self, x):
        return self.main(x)


class GAN:
    def __init__(self, size=12, latent_dims=8, lr=2e-4):
        self.latent_dims = latent_dims
        self.generator = Generator(latent_dims, size)
        self.discriminator = Discriminator(size)
        self.optimizerD = optim.Adam(self.discriminator.parameters(), lr=lr, betas=(0.5, 0.999))
        self.optimizerG = optim.Adam(self.generator.parameters(), lr=lr, betas=(0.5, 0.999))
        self.criterion = nn.BCELoss()
        self.real_label, self.fake_label = 1.0, 0.0

    def step(self, data):
        real = data[0]
        batch_size = real.size(0)
        label = torch.full((batch_size,), self.real_label)
        output = self.discriminator(real).view(-1)
        errD_real = self.criterion(output, label)
        errD_real.backward()

        noise = torch.randn(batch_size, self.latent_dims)
        fake = self.generator(noise)
        label.fill_(self.fake_label)
        output = self.discriminator(fake.detach()).view(-1)
        errD_fake = self.criterion(output, label)
        errD_fake.backward()
        self.optimizerD.step()  # asked: TL201

        self.generator.zero_grad()
        label.fill_(self.real_label)
        output = self.discriminator(fake).view(-1)
        errG = self.criterion(output, label)
        errG.backward()
        self.optimizerG.step()
        return output, errD_real + errD_fake


if __name__ == "__main__":
    gan = GAN()
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(32, 12)), batch_size=8)
    for epoch in range(2):
        for i, data in enumerate(loader):
            output, errD = gan.step(data)
            print(epoch, i, errD.item())
