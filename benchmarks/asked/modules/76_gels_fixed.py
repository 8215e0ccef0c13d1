import torch

b = torch.randn(600, 1)
A = torch.randn(600, 2)
X = torch.linalg.lstsq(A, b).solution
print(X.size())
