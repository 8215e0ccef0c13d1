import numpy as np
import torch
import torch.nn as nn

num_p, num_outputs = 30, 10


class Net(nn.Module):
    def __init__(self, num_p, num_hl_se=10, rank_el_se=10, rank_ss=10, num_hl_class=10, num_outputs=10):
        super().__init__()
        self.se0 = nn.Linear(num_p, rank_el_se)
        self.se1 = nn.Linear(rank_el_se, num_hl_se)
        self.se2 = nn.Linear(num_hl_se, rank_ss)
        self.cl1 = nn.Linear(rank_ss, num_hl_class)
        self.cl2 = nn.Linear(num_hl_class, num_outputs)

    def forward(self, x):
        A = np.random.rand(60, num_p)
        A = torch.from_numpy(A).float()
        o = self.se0(A)
        o = torch.sigmoid(self.se1(o))
        o = torch.sigmoid(self.se2(o))
        x = o.mul(x)
        x = torch.sigmoid(self.cl1(x))
        return torch.sigmoid(self.cl2(x))


s_cl = Net(num_p, num_outputs=num_outputs)
print(s_cl(torch.randn(60, 10)).shape)
