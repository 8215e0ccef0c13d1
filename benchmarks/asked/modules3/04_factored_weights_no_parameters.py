import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class FactoredNet(nn.Module):
    def __init__(self, path="factors.pth"):
        super(FactoredNet, self).__init__()
        weights = torch.load(path, map_location="cpu")

        self.w_conv = weights["conv.weight"].view(10, 1, 5, 5)
        self.b_conv = weights["conv.bias"]
        self.w_fc = weights["fc.weight"]
        self.b_fc = weights["fc.bias"]

    def forward(self, x):
        x = F.relu(F.max_pool2d(F.conv2d(x, self.w_conv, self.b_conv), 2))
        x = x.view(-1, 1440)
        return F.log_softmax(F.linear(x, self.w_fc, self.b_fc), dim=1)


torch.save(
    {"conv.weight": torch.randn(10, 25), "conv.bias": torch.zeros(10), "fc.weight": torch.randn(10, 1440), "fc.bias": torch.zeros(10)},
    "factors.pth",
)
model = FactoredNet()
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.5)  # asked: TL211

for step in range(10):
    data, target = torch.randn(8, 1, 28, 28), torch.randint(0, 10, (8,))
    optimizer.zero_grad()
    loss = F.nll_loss(model(data), target)
    loss.backward()
    optimizer.step()
