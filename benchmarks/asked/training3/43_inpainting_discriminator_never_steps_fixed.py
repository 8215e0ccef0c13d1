import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.coarse = nn.Conv2d(4, 3, 3, padding=1)
        self.refine = nn.Conv2d(4, 3, 3, padding=1)

    def forward(self, img, mask):
        first = torch.tanh(self.coarse(torch.cat((img * (1 - mask), mask), 1)))
        second = torch.tanh(self.refine(torch.cat((first * mask + img * (1 - mask), mask), 1)))
        return first, second


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.Sequential(nn.Conv2d(4, 8, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(8, 1, 4, 2, 1))

    def forward(self, img, mask):
        return self.block(torch.cat((img, mask), 1))


def LSGAN_trainer(opt):
    generator = Generator()
    discriminator = Discriminator()
    L1Loss = nn.L1Loss()
    MSELoss = nn.MSELoss()
    optimizer_g = torch.optim.Adam(generator.parameters(), lr=opt["lr_g"], betas=(0.5, 0.999))
    optimizer_d = torch.optim.Adam(discriminator.parameters(), lr=opt["lr_d"], betas=(0.5, 0.999))

    def adjust_learning_rate(lr_in, optimizer, epoch, opt):
        lr = lr_in * (0.5 ** (epoch // 10))
        for param_group in optimizer.param_groups:
            param_group["lr"] = lr

    dataloader = [(torch.rand(2, 3, 16, 16) * 2 - 1, torch.randint(0, 2, (2, 1, 16, 16)).float()) for _ in range(3)]
    for epoch in range(opt["epochs"]):
        for batch_idx, (img, mask) in enumerate(dataloader):
            valid = torch.ones(img.shape[0], 1, 4, 4)
            fake = torch.zeros(img.shape[0], 1, 4, 4)
            optimizer_d.zero_grad()
            first_out, second_out = generator(img, mask)
            first_whole = img * (1 - mask) + first_out * mask
            second_whole = img * (1 - mask) + second_out * mask
            fake_scalar = discriminator(second_whole.detach(), mask)
            true_scalar = discriminator(img, mask)
            loss_D = 0.5 * (MSELoss(fake_scalar, fake) + MSELoss(true_scalar, valid))
            loss_D.backward()
            optimizer_d.step()

            optimizer_g.zero_grad()
            loss_1 = L1Loss(first_whole, img)
            loss_2 = L1Loss(second_whole, img)
            fake_scalar = discriminator(second_whole, mask)
            GAN_Loss = MSELoss(fake_scalar, valid)
            loss = loss_1 + loss_2 + 0.1 * GAN_Loss
            loss.backward()
            optimizer_g.step()
            print(epoch, batch_idx, loss_D.item(), GAN_Loss.item())
        adjust_learning_rate(opt["lr_g"], optimizer_g, epoch + 1, opt)
        adjust_learning_rate(opt["lr_d"], optimizer_d, epoch + 1, opt)


LSGAN_trainer({"lr_g": 1e-4, "lr_d": 1e-4, "epochs": 2})
