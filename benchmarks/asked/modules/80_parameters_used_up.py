import torch
import torch.nn as nn


class MyModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_parameter("param", nn.Parameter(torch.rand(2, 2)))

    def forward(self, x):
        return x @ self.param


mymodule = MyModule()
mydict = dict(param=mymodule.parameters())
for param in mydict["param"]:
    print(param.shape)
optimizer = torch.optim.SGD(mydict["param"], lr=0.1)  # asked: TL211
for step in range(3):
    optimizer.zero_grad()
    mymodule(torch.randn(4, 2)).pow(2).mean().backward()
    optimizer.step()
