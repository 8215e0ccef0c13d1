import torch

b = torch.randn(600, 1)
A = torch.randn(600, 2)
X, _ = torch.gels(b, A)  # asked: TL901
print(X.size())
