import torch
import torch.nn as nn
import torch.nn.functional as F


class OnGpu(nn.Module):
    def __init__(self):
        super(OnGpu, self).__init__()
        self.w = nn.Parameter(torch.ones(10)).cuda()  # asked: TL409

    def forward(self, x):
        return F.relu(x * self.w)


if __name__ == "__main__":
    gpu = OnGpu()
    print(list(gpu.parameters()))
