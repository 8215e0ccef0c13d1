import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Generator(nn.Module):
    def __init__(self, z_dim=16):
        super().__init__()
        self.l1 = nn.Sequential(nn.ConvTranspose2d(z_dim, 32, 4), nn.BatchNorm2d(32), nn.ReLU())
        self.last = nn.Sequential(nn.ConvTranspose2d(32, 3, 4, 2, 1), nn.Tanh())

    def forward(self, z):
        return self.last(self.l1(z.view(z.size(0), z.size(1), 1, 1)))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Sequential(nn.Conv2d(3, 32, 4, 2, 1), nn.LeakyReLU(0.1))
        self.last = nn.Conv2d(32, 1, 4)

    def forward(self, x):
        return self.last(self.l1(x)).squeeze()


class Trainer:
    def __init__(self, data_loader, batch_size=8, z_dim=16, total_step=4):
        self.data_loader, self.batch_size, self.z_dim, self.total_step = data_loader, batch_size, z_dim, total_step
        self.G, self.D = Generator(z_dim), Discriminator()
        self.g_optimizer = torch.optim.Adam(self.G.parameters(), 1e-4, (0.0, 0.9))
        self.d_optimizer = torch.optim.Adam(self.D.parameters(), 4e-4, (0.0, 0.9))

    def reset_grad(self):
        self.d_optimizer.zero_grad()
        self.g_optimizer.zero_grad()

    def train(self):
        data_iter = iter(self.data_loader)
        for step in range(self.total_step):
            self.D.train()
            self.G.train()
            try:
                (real_images,) = next(data_iter)
            except StopIteration:
                data_iter = iter(self.data_loader)
                (real_images,) = next(data_iter)
            d_loss_real = torch.nn.ReLU()(1.0 - self.D(real_images)).mean()
            fake_images = self.G(torch.randn(self.batch_size, self.z_dim))
            d_out_fake = self.D(fake_images.detach())
            d_loss_fake = torch.nn.ReLU()(1.0 + d_out_fake).mean()
            d_loss = d_loss_real + d_loss_fake
            self.reset_grad()
            d_loss.backward()
            self.d_optimizer.step()

            fake_images = self.G(torch.randn(self.batch_size, self.z_dim))
            g_loss = -self.D(fake_images).mean()
            self.reset_grad()
            g_loss.backward()
            self.g_optimizer.step()
            print(step, d_loss.item(), g_loss.item())


if __name__ == "__main__":
    images = TensorDataset(torch.rand(32, 3, 8, 8) * 2 - 1)
    Trainer(DataLoader(images, batch_size=8, shuffle=True)).train()
