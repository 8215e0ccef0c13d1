import numpy as np
import torch
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def gaussian_kernel(size=9, sigma=2.0):
    ax = np.arange(size) - size // 2
    k = np.exp(-(ax[:, None] ** 2 + ax[None, :] ** 2) / (2 * sigma**2))
    return (k / k.sum()).astype(np.float32)


def deblur(y, k_4d, steps=3, zeta=0.3):
    x = y.clone()
    for _ in range(steps):
        residual = F.conv2d(x, k_4d, padding=k_4d.shape[-1] // 2) - y
        x = x - zeta * residual
    return x


def test_rho(batch_size=4):
    x = torch.rand(batch_size, 3, 32, 32, device=device)
    k = torch.from_numpy(gaussian_kernel()).to(device)
    k_4d = torch.einsum("ab,cd->abcd", torch.eye(3).to(device), k)
    y = F.conv2d(x, k_4d, padding=k_4d.shape[-1] // 2)
    y = y + 0.01 * torch.randn_like(y)
    restored = deblur(y, k_4d)
    print("psnr", -10 * torch.log10(F.mse_loss(restored, x)).item())


if __name__ == "__main__":
    test_rho()
