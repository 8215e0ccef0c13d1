import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class PredictionModule(nn.Module):
    def __init__(self, in_channels, out_channels=16, num_classes=4, extra_layers=1):
        super().__init__()

        def make_extra(num_layers):
            if num_layers == 0:
                return lambda x: x
            convs = [nn.Sequential(nn.Conv2d(out_channels, out_channels, 3, padding=1), nn.ReLU()) for _ in range(num_layers)]
            return nn.Sequential(*convs)

        self.upfeature = nn.Conv2d(in_channels, out_channels, 3, padding=1)
        self.bbox_extra, self.conf_extra = make_extra(0), make_extra(extra_layers)
        self.bbox_layer = nn.Conv2d(out_channels, 4, 3, padding=1)
        self.conf_layer = nn.Conv2d(out_channels, num_classes, 3, padding=1)

    def forward(self, x):
        x = torch.relu(self.upfeature(x))
        return self.bbox_layer(self.bbox_extra(x)), self.conf_layer(self.conf_extra(x))


class Yolact(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Conv2d(3, 8, 3, padding=1)
        self.prediction_layers = nn.ModuleList([PredictionModule(8)])

    def forward(self, x):
        x = self.backbone(x)
        return [layer(x) for layer in self.prediction_layers]


def train(folder, epochs=1):
    yolact_net = Yolact()
    optimizer = torch.optim.SGD(yolact_net.parameters(), lr=1e-3, momentum=0.9)
    loader = DataLoader(TensorDataset(torch.rand(8, 3, 8, 8)), batch_size=4, shuffle=True)
    for epoch in range(epochs):
        for iteration, (images,) in enumerate(loader):
            loss = sum(boxes.pow(2).mean() + scores.pow(2).mean() for boxes, scores in yolact_net(images))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        path = os.path.join(folder, f"yolact_{epoch}_{iteration}.pth")
        torch.save(yolact_net, path)  # asked: TL908


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        train(folder)
