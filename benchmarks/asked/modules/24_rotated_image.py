import torch

image = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]])
image_rotated = image.transpose(0, 1)
image_flat = image_rotated.view(1, 8)  # asked: TL704
net = torch.nn.Linear(8, 2)
print(net(image_flat))
