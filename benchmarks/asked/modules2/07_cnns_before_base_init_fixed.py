import torch
from torch import nn


class MLPModel(nn.Module):
    def __init__(self, obs_groups, output_dim, hidden_dims):
        super().__init__()
        self.obs_groups = obs_groups
        layers, last = [], self._get_obs_dim(obs_groups)
        for width in hidden_dims:
            layers += [nn.Linear(last, width), nn.ELU()]
            last = width
        self.mlp = nn.Sequential(*layers, nn.Linear(last, output_dim))

    def _get_obs_dim(self, groups):
        return sum(shape[0] for shape in groups.values() if len(shape) == 1)

    def forward(self, obs):
        return self.mlp(torch.cat([obs[name] for name in self.obs_groups], dim=-1))


class CNNModel(MLPModel):
    def __init__(self, obs_groups, output_dim, hidden_dims=(64, 64), channels=8):
        flat = {name: shape for name, shape in obs_groups.items() if len(shape) == 1}
        images = {name: shape for name, shape in obs_groups.items() if len(shape) == 3}
        cnns = {name: nn.Sequential(nn.Conv2d(shape[0], channels, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()) for name, shape in images.items()}
        self.cnn_latent_dim = channels * len(images)
        super().__init__(flat, output_dim, hidden_dims)
        self.cnns = nn.ModuleDict(cnns)

    def _get_obs_dim(self, groups):
        return super()._get_obs_dim(groups) + self.cnn_latent_dim

    def forward(self, obs):
        latent = [cnn(obs[name]) for name, cnn in self.cnns.items()]
        return self.mlp(torch.cat([obs[name] for name in self.obs_groups] + latent, dim=-1))


if __name__ == "__main__":
    model = CNNModel({"state": (5,), "depth": (1, 16, 16)}, output_dim=3)
    print(model({"state": torch.randn(2, 5), "depth": torch.randn(2, 1, 16, 16)}).shape)
