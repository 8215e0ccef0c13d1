import torch

a = torch.tensor(100.0, requires_grad=True)
b = torch.where(a <= 0, torch.exp(a.clamp(max=0)), 1 + a)
b.backward()

print(b)
print(a.grad)
