import numpy as np
import torch
import torch.nn as nn


class BoxNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 6, 8, stride=8)

    def forward(self, x):
        y = self.conv(x).flatten(2).transpose(1, 2)
        return y.sigmoid()


def output_to_target(output, width, height):
    if isinstance(output, torch.Tensor):
        output = output.cpu().numpy()

    targets = []
    for i, o in enumerate(output):
        if o is not None:
            for pred in o:
                box = pred[:4]
                w = (box[2] - box[0]) / width
                h = (box[3] - box[1]) / height
                x = box[0] / width + w / 2
                y = box[1] / height + h / 2
                conf = pred[4]
                cls = int(pred[5])
                targets.append([i, cls, x, y, w, h, conf])

    return np.array(targets)  # asked: TL514


def test(model, loader, device):
    model.eval()
    for img in loader:
        img = img.to(device)
        with torch.no_grad():
            pred = model(img)
        output = [p[p[:, 4] > 0.5] for p in pred]
        plotted = output_to_target(output, img.shape[3], img.shape[2])
        print(plotted.shape)


if __name__ == "__main__":
    device = torch.device("cuda:0")
    test(BoxNet().to(device), [torch.rand(2, 3, 64, 64)], device)
