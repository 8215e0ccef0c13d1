import torch
import torch.nn as nn


class NetG(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(6, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 1, 1))

    def forward(self, x):
        return torch.sigmoid(self.body(x))


class NetD(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(72, 1), nn.Sigmoid())

    def forward(self, x):
        return self.body(x)


def train():
    netg, netd = NetG(), NetD()
    l_con, l_bce, l_adv = nn.L1Loss(), nn.BCELoss(), nn.MSELoss()
    optimizer_d = torch.optim.Adam(netd.parameters(), lr=2e-4, betas=(0.5, 0.999))
    optimizer_g = torch.optim.Adam(netg.parameters(), lr=2e-4, betas=(0.5, 0.999))
    loader = [(torch.randn(4, 6, 8, 8), torch.randint(0, 2, (4, 1, 8, 8)).float()) for _ in range(3)]
    for epoch in range(2):
        netg.train()
        netd.train()
        for x, gt in loader:
            fake = netg(x)
            pred_real = netd(gt)
            pred_fake = netd(fake).detach()
            err_d_fake = l_adv(pred_real, pred_fake)  # asked: TL106
            err_g = l_con(fake, gt)
            err_g_total = 6.0 * err_g + err_d_fake
            optimizer_g.zero_grad()
            err_g_total.backward(retain_graph=True)
            optimizer_g.step()

            pred_fake_ = netd(fake.detach())
            err_d_real = l_bce(netd(gt), torch.ones(4, 1))
            err_d_fake_ = l_bce(pred_fake_, torch.zeros(4, 1))
            err_d_total = (err_d_real + err_d_fake_) * 0.5
            optimizer_d.zero_grad()
            err_d_total.backward()
            optimizer_d.step()


if __name__ == "__main__":
    train()
