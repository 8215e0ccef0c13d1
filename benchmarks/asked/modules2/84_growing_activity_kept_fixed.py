import torch
from torch import nn


class MergeGrowingModule(nn.Module):
    def __init__(self, post_merge_function=torch.nn.Identity(), name=None):
        super().__init__()
        self.name = name
        self.post_merge_function = post_merge_function
        self.store_input = 0
        self.store_activity = 0
        self.input = None
        self.activity = None
        self.updated = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.store_input > 0:
            self.input = x
            self.input.retain_grad()
        if self.post_merge_function and (x is not None):
            y = self.post_merge_function(x)
        else:
            y = x
        if self.store_activity > 0:
            self.activity = y.detach()
            self.updated = False
        return y

    def compute_s(self):
        desired = self.activity.flatten(0, -2)
        return desired.t() @ desired


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.merge = MergeGrowingModule(nn.ReLU())
        self.second = nn.Linear(8, 1)

    def forward(self, x):
        return self.second(self.merge(self.first(x)))


if __name__ == "__main__":
    net = Net()
    net.merge.store_activity = 1
    total = 0
    for _ in range(3):
        net(torch.randn(5, 4))
        total = total + net.merge.compute_s()
    print(total.requires_grad)
