import torch

ensure_tensor = torch.as_tensor

print(ensure_tensor([1, 3, 5]))
print(ensure_tensor(3.0))
print(ensure_tensor(torch.tensor(1.0)))
