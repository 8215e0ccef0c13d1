import numpy as np
import torch
import torch.nn.functional as F


def look(vertices, eye, direction=[0, 1, 0], up=None):
    """The view of vertices from an eye in a direction."""
    if vertices.ndimension() != 3:
        raise ValueError("vertices Tensor should have 3 dimensions")
    device = vertices.device
    if isinstance(direction, list) or isinstance(direction, tuple):
        direction = torch.tensor(direction, dtype=torch.float32, device=device)
    elif isinstance(direction, np.ndarray):
        direction = torch.from_numpy(direction).to(device)
    elif torch.is_tensor(direction):
        direction.to(device)  # asked: TL503
    if isinstance(eye, list) or isinstance(eye, tuple):
        eye = torch.tensor(eye, dtype=torch.float32, device=device)
    elif torch.is_tensor(eye):
        eye.to(device)  # asked: TL503
    if up is None:
        up = torch.tensor([0, 1, 0], dtype=torch.float32, device=device)
    if eye.ndimension() == 1:
        eye = eye[None, :]
    if direction.ndimension() == 1:
        direction = direction[None, :]
    if up.ndimension() == 1:
        up = up[None, :]
    z_axis = F.normalize(direction, eps=1e-5)
    x_axis = F.normalize(torch.linalg.cross(up, z_axis), eps=1e-5)
    y_axis = F.normalize(torch.linalg.cross(z_axis, x_axis), eps=1e-5)
    r = torch.cat((x_axis[:, None, :], y_axis[:, None, :], z_axis[:, None, :]), dim=1)
    if eye.ndimension() == 2:
        eye = eye[:, None, :]
    vertices = vertices - eye
    return torch.matmul(vertices, r.transpose(1, 2))


if __name__ == "__main__":
    print(look(torch.rand(2, 5, 3), torch.tensor([[0.0, 0.0, -2.0]]), torch.tensor([0.0, 0.3, 1.0])).shape)
