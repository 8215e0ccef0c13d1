import torch

a = torch.rand(6, 8, 3)
b = torch.max(a, dim=1)
print(type(b), isinstance(b, tuple))
print(b.shape)  # asked: TL711
