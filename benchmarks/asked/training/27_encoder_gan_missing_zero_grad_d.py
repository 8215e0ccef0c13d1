import torch
import torch.nn as nn
import torch.nn.functional as F


class E(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.fc = nn.Linear(8 * 4 * 4, 16)

    def forward(self, x):
        return self.fc(F.leaky_relu(self.conv(x), 0.2).flatten(1))


class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.fc = nn.Linear(8 * 4 * 4, 1)

    def forward(self, x):
        return self.fc(F.leaky_relu(self.conv(x), 0.2).flatten(1))


class G(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 3 * 8 * 8)

    def forward(self, w):
        return torch.tanh(self.fc(w)).view(-1, 3, 8, 8)


def training_loop(max_epoch=2, batch=4):
    generator, encoder, discriminator = G().eval(), E(), D()
    for p in generator.parameters():
        p.requires_grad_(False)
    encoder.train()
    discriminator.train()
    optimizer_E = torch.optim.Adam(encoder.parameters(), lr=1e-4)
    optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=1e-4)
    dataset = torch.utils.data.TensorDataset(torch.rand(16, 3, 8, 8) * 2 - 1)
    loader = torch.utils.data.DataLoader(dataset, batch_size=batch, shuffle=True)
    for epoch in range(max_epoch):
        for step, (x_real,) in enumerate(loader):
            w = encoder(x_real)
            x_rec = generator(w)
            loss_pix = torch.mean((x_rec - x_real) ** 2)
            loss_adv = F.softplus(-discriminator(x_rec)).mean()
            E_loss = loss_pix + 0.1 * loss_adv
            optimizer_E.zero_grad()
            E_loss.backward()
            optimizer_E.step()

            x_rec = generator(encoder(x_real)).detach()
            loss_real = F.softplus(-discriminator(x_real)).mean()
            loss_fake = F.softplus(discriminator(x_rec)).mean()
            D_loss = loss_real + loss_fake
            D_loss.backward()
            optimizer_D.step()  # asked: TL201
            print(epoch, step, E_loss.item(), D_loss.item())


if __name__ == "__main__":
    training_loop()
