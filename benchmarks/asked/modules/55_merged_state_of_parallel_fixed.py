import torch
import torch.nn as nn


class NestedUNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, kernel_size=3, padding=1)
        self.out = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        return torch.sigmoid(self.out(torch.relu(self.conv1(x))))


def train():
    model = NestedUNet()
    model = nn.DataParallel(model)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(2):
        x = torch.rand(2, 3, 16, 16)
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy(model(x), (x.mean(1, keepdim=True) > 0.5).float())
        loss.backward()
        optimizer.step()
    torch.save(model.state_dict(), "unet.pth")


def test():
    model = NestedUNet()
    pretrained_dict = torch.load("unet.pth", map_location="cpu")
    pretrained_dict = {k.replace("module.", ""): v for k, v in pretrained_dict.items()}
    model.load_state_dict(pretrained_dict)
    model.eval()
    with torch.no_grad():
        return model(torch.rand(1, 3, 16, 16))


train()
test()
