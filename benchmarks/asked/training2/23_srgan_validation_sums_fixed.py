from math import log10

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def ssim(a, b):
    mu1, mu2 = a.mean((2, 3)), b.mean((2, 3))
    return ((2 * mu1 * mu2 + 1e-4) / (mu1 ** 2 + mu2 ** 2 + 1e-4)).mean()


netG = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.PReLU(), nn.Conv2d(16, 3, 3, padding=1))
optimizerG = torch.optim.Adam(netG.parameters())
train_loader = DataLoader(TensorDataset(torch.rand(8, 3, 16, 16), torch.rand(8, 3, 16, 16)), batch_size=4)
val_loader = DataLoader(TensorDataset(torch.rand(8, 3, 16, 16), torch.rand(8, 3, 16, 16)), batch_size=1)

for epoch in range(1, 3):
    netG.train()
    for data, target in train_loader:
        netG.zero_grad()
        g_loss = ((netG(data) - target) ** 2).mean()
        g_loss.backward()
        optimizerG.step()

    netG.eval()
    valing_results = {"mse": 0, "ssims": 0, "psnr": 0, "ssim": 0, "batch_sizes": 0}
    with torch.no_grad():
        for val_lr, val_hr in val_loader:
            batch_size = val_lr.size(0)
            valing_results["batch_sizes"] += batch_size
            sr = netG(val_lr)
            batch_mse = ((sr - val_hr) ** 2).mean()
            valing_results["mse"] += batch_mse * batch_size
            valing_results["ssims"] += ssim(sr, val_hr) * batch_size
    valing_results["psnr"] = 10 * log10(1 / (valing_results["mse"] / valing_results["batch_sizes"]))
    valing_results["ssim"] = valing_results["ssims"] / valing_results["batch_sizes"]
    print(epoch, valing_results["psnr"])
