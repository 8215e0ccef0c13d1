import torch
import torch.nn as nn
import torch.optim as optim


class _netD(nn.Module):
    def __init__(self, ngpu=1, num_classes=10):
        super().__init__()
        self.ngpu = ngpu
        self.conv1 = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True), nn.Dropout(0.5))
        self.conv2 = nn.Sequential(nn.Conv2d(16, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32), nn.LeakyReLU(0.2, inplace=True))
        self.fc_dis = nn.Linear(32 * 4 * 4, 1)
        self.fc_aux = nn.Linear(32 * 4 * 4, num_classes)
        self.softmax = nn.LogSoftmax(dim=1)
        self.sigmoid = nn.Sigmoid()

    def forward(self, input):
        flat = self.conv2(self.conv1(input)).view(-1, 32 * 4 * 4)
        classes = self.softmax(self.fc_aux(flat))
        realfake = self.sigmoid(self.fc_dis(flat)).view(-1, 1).squeeze(1)
        return realfake, classes


netD = _netD()
dis_criterion = nn.BCELoss()
aux_criterion = nn.NLLLoss()
optimizerD = optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
for i in range(3):
    real, label = torch.randn(4, 3, 16, 16), torch.randint(0, 10, (4,))
    netD.zero_grad()
    dis_output, aux_output = netD(real)
    dis_errD_real = dis_criterion(dis_output, torch.ones(4))
    aux_errD_real = aux_criterion(aux_output, label)
    errD_real = dis_errD_real + aux_errD_real
    errD_real.backward()
    optimizerD.step()
