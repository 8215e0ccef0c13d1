import torch
from torch import nn


class GaussianNoise(nn.Module):
    def __init__(self, sigma=0.1):
        super().__init__()
        self.update_parameters(sigma=sigma)

    def update_parameters(self, sigma=None, **kwargs):
        if sigma is not None:
            self.sigma = sigma

    def forward(self, x):
        return x + torch.randn_like(x) * self.sigma


class Physics(nn.Module):
    def __init__(self, noise_model, **kwargs):
        super().__init__()
        self.noise_model = noise_model

    def update(self, **kwargs):
        self.noise_model.update_parameters(**kwargs)

    def forward(self, x):
        return self.noise_model(self.A(x))

    def A(self, x):
        return x


class Denoising(Physics):
    def __init__(self, noise_model=None, **kwargs):
        super().__init__(noise_model=noise_model or GaussianNoise(sigma=0.1), **kwargs)


a = Denoising()
a.update(sigma=0.2)
b = Denoising()
print(a.noise_model.sigma, b.noise_model.sigma)
