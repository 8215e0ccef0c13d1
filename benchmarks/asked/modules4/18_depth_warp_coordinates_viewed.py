import torch
import torch.nn as nn


def _depth_warping(depth_maps_1, depth_maps_2, translation, epsilon):
    num_batch, height, width, _ = depth_maps_1.shape
    y_grid, x_grid = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    x_grid = torch.transpose(x_grid.t().contiguous(), dim0=1, dim1=0).float().reshape(1, height, width, 1)
    y_grid = torch.transpose(y_grid.t().contiguous(), dim0=1, dim1=0).float().reshape(1, height, width, 1)

    depth_2 = (depth_maps_1 + translation[:, 2].reshape(-1, 1, 1, 1)).clamp(min=epsilon)
    u_2 = (x_grid * depth_maps_1 + translation[:, 0].reshape(-1, 1, 1, 1)) / depth_2
    v_2 = (y_grid * depth_maps_1 + translation[:, 1].reshape(-1, 1, 1, 1)) / depth_2
    u_2_flat = u_2.view(-1)  # asked: TL704
    v_2_flat = v_2.view(-1)  # asked: TL704

    u = u_2_flat.round().long().clamp(0, width - 1)
    v = v_2_flat.round().long().clamp(0, height - 1)
    base = torch.arange(num_batch).repeat_interleave(height * width) * height * width
    return depth_maps_2.reshape(-1)[base + v * width + u].view(num_batch, height, width, 1)


class DepthWarpingLayer(nn.Module):
    def __init__(self, epsilon=1e-8):
        super(DepthWarpingLayer, self).__init__()
        self.epsilon = epsilon

    def forward(self, x):
        depth_maps_1, depth_maps_2, translation = x
        depth_maps_1, depth_maps_2 = depth_maps_1.permute(0, 2, 3, 1), depth_maps_2.permute(0, 2, 3, 1)
        return _depth_warping(depth_maps_1, depth_maps_2, translation, self.epsilon).permute(0, 3, 1, 2)


if __name__ == "__main__":
    warp = DepthWarpingLayer()
    depth = torch.rand(4, 1, 8, 10) + 1
    print(warp([depth, depth, torch.zeros(4, 3)]).shape)
