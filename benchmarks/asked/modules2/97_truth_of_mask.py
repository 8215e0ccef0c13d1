import torch
from torch import Tensor, nn


def ds_nerf_depth_loss(weights: Tensor, termination_depth: Tensor, steps: Tensor, sigma: Tensor) -> Tensor:
    depth_mask = termination_depth > 0
    loss = -torch.log(weights + 1e-7) * torch.exp(-((steps - termination_depth[:, None]) ** 2) / (2 * sigma))
    return torch.mean(loss.sum(-2) * depth_mask)


def monosdf_depth_loss(prediction: Tensor, target: Tensor, mask: Tensor = None) -> Tensor:
    error = (prediction - target).abs()
    if mask:  # asked: TL511
        error = error[mask]
    return error.mean()


class DepthModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))

    def get_loss_dict(self, rays, batch):
        depth = self.net(rays)
        mask = batch["depth_image"] > 0
        return {"depth_loss": monosdf_depth_loss(depth, batch["depth_image"], mask)}


if __name__ == "__main__":
    model = DepthModel()
    print(model.get_loss_dict(torch.randn(10, 6), {"depth_image": torch.rand(10, 1)}))
