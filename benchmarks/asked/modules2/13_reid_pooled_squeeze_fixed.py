import torch
import torch.nn as nn
from torch.nn import init
from torchvision import models


def weights_init_kaiming(m):
    if m.__class__.__name__.find("Linear") != -1:
        init.kaiming_normal_(m.weight.data, a=0, mode="fan_out")
        init.constant_(m.bias.data, 0.0)


class ClassBlock(nn.Module):
    def __init__(self, input_dim, class_num, num_bottleneck=512):
        super(ClassBlock, self).__init__()
        add_block = nn.Sequential(nn.Linear(input_dim, num_bottleneck), nn.BatchNorm1d(num_bottleneck), nn.Dropout(p=0.5))
        add_block.apply(weights_init_kaiming)
        self.add_block = add_block
        self.classifier = nn.Linear(num_bottleneck, class_num)

    def forward(self, x):
        return self.classifier(self.add_block(x))


class FtNet(nn.Module):
    def __init__(self, class_num):
        super(FtNet, self).__init__()
        model_ft = models.resnet50(weights=None)
        model_ft.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.model = model_ft
        self.classifier = ClassBlock(2048, class_num)

    def forward(self, x):
        x = self.model.conv1(x)
        x = self.model.bn1(x)
        x = self.model.relu(x)
        x = self.model.maxpool(x)
        x = self.model.layer1(x)
        x = self.model.layer2(x)
        x = self.model.layer3(x)
        x = self.model.layer4(x)
        x = self.model.avgpool(x)
        x = x.view(x.size(0), x.size(1))
        x = self.classifier(x)
        return x


if __name__ == "__main__":
    net = FtNet(751)
    net.eval()
    print(net(torch.randn(1, 3, 256, 128)).shape)
