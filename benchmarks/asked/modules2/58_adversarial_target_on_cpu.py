import torch
from torch import nn


class PatchAdversarialLoss(nn.Module):
    def __init__(self, criterion="least_squares", real_label=1.0, fake_label=0.0):
        super().__init__()
        self.real_label, self.fake_label = real_label, fake_label
        self.loss_fct = nn.MSELoss() if criterion == "least_squares" else nn.BCEWithLogitsLoss()

    def get_target_tensor(self, input, target_is_real):
        filling = self.real_label if target_is_real else self.fake_label
        label_tensor = torch.full((1,), filling)
        label_tensor.requires_grad_(False)
        return label_tensor.expand_as(input)

    def forward(self, input, target_is_real):
        target = self.get_target_tensor(input, target_is_real)
        return self.loss_fct(input, target)  # asked: TL501


def main():
    device = torch.device("cuda:1")
    generator = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 256)).to(device)
    discriminator = nn.Sequential(nn.Conv2d(1, 8, 3, 2), nn.LeakyReLU(0.2), nn.Conv2d(8, 1, 3)).to(device)
    adv_loss = PatchAdversarialLoss()
    optimizer_g = torch.optim.Adam(generator.parameters(), lr=1e-4)
    optimizer_d = torch.optim.Adam(discriminator.parameters(), lr=1e-4)
    for images in [torch.randn(4, 1, 16, 16)] * 3:
        images = images.to(device)
        fake = generator(torch.randn(4, 8, device=device)).view(4, 1, 16, 16)
        optimizer_g.zero_grad()
        loss_g = adv_loss(discriminator(fake), target_is_real=True)
        loss_g.backward()
        optimizer_g.step()
        optimizer_d.zero_grad()
        loss_d = 0.5 * (adv_loss(discriminator(fake.detach()), target_is_real=False) + adv_loss(discriminator(images), target_is_real=True))
        loss_d.backward()
        optimizer_d.step()


if __name__ == "__main__":
    main()
