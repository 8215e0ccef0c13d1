import numpy as np
import torch

np.random.seed(2023)
x = torch.tensor(np.random.randint(0, 100, ()), dtype=torch.uint8)
print(x)
out = torch.square(x.int())
print(out)
