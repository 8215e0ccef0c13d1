import torch
import torch.nn as nn
import torch.optim as optim


class NetG(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, 16, 4, 2, 1), nn.BatchNorm2d(16), nn.LeakyReLU(0.2))
        self.up = nn.Sequential(nn.ConvTranspose2d(16, 3, 4, 2, 1), nn.Tanh())

    def forward(self, x):
        return self.up(self.down(x))


class NetD(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 4, 2, 1), nn.LeakyReLU(0.2))
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(16 * 64, 1), nn.Sigmoid())

    def forward(self, x):
        feat = self.features(x)
        return self.classifier(feat).view(-1), feat


class Skipganomaly:
    def __init__(self, w_adv=1.0, w_con=50.0, w_lat=1.0, lr=2e-4):
        self.netg, self.netd = NetG(), NetD()
        self.w_adv, self.w_con, self.w_lat = w_adv, w_con, w_lat
        self.l_adv, self.l_con, self.l_lat = nn.BCELoss(), nn.L1Loss(), nn.MSELoss()
        self.optimizer_d = optim.Adam(self.netd.parameters(), lr=lr, betas=(0.5, 0.999))
        self.optimizer_g = optim.Adam(self.netg.parameters(), lr=lr, betas=(0.5, 0.999))

    def forward(self):
        self.fake = self.netg(self.input)
        self.pred_real, self.feat_real = self.netd(self.input)
        self.pred_fake, self.feat_fake = self.netd(self.fake.detach())

    def update_netg(self):
        self.optimizer_g.zero_grad()
        pred_fake, feat_fake = self.netd(self.fake)
        err_g_adv = self.w_adv * self.l_adv(pred_fake, torch.ones(len(self.input)))
        err_g_con = self.w_con * self.l_con(self.fake, self.input)
        err_g_lat = self.w_lat * self.l_lat(self.feat_fake, self.feat_real)  # asked: TL225
        err_g = err_g_adv + err_g_con + err_g_lat
        err_g.backward(retain_graph=True)

    def update_netd(self):
        self.optimizer_d.zero_grad()
        err_d_real = self.l_adv(self.pred_real, torch.ones(len(self.input)))
        err_d_fake = self.l_adv(self.pred_fake, torch.zeros(len(self.input)))
        err_d = err_d_real + err_d_fake
        err_d.backward()

    def optimize_params(self, x):
        self.input = x
        self.forward()
        self.update_netg()
        self.optimizer_g.step()
        self.update_netd()
        self.optimizer_d.step()


if __name__ == "__main__":
    model = Skipganomaly()
    for _ in range(3):
        model.optimize_params(torch.randn(2, 3, 16, 16))
