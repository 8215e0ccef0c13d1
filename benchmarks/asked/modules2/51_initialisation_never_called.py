import torch
import torch.nn as nn


class SeeInDark(nn.Module):
    def __init__(self, num_classes=10):
        super(SeeInDark, self).__init__()
        self.conv1_1 = nn.Conv2d(4, 32, kernel_size=3, stride=1, padding=1)
        self.conv1_2 = nn.Conv2d(32, 32, kernel_size=3, stride=1, padding=1)
        self.pool1 = nn.MaxPool2d(kernel_size=2)
        self.conv2_1 = nn.Conv2d(32, 64, kernel_size=3, stride=1, padding=1)
        self.upv3 = nn.ConvTranspose2d(64, 32, 2, stride=2)
        self.conv4_1 = nn.Conv2d(64, 12, kernel_size=1, stride=1)

    def forward(self, x):
        conv1 = self.lrelu(self.conv1_1(x))
        conv1 = self.lrelu(self.conv1_2(conv1))
        conv2 = self.lrelu(self.conv2_1(self.pool1(conv1)))
        up3 = torch.cat([self.upv3(conv2), conv1], 1)
        return nn.functional.pixel_shuffle(self.conv4_1(up3), 2)

    def _initialize_weights(self):  # asked: TL416
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                m.weight.data.normal_(0.0, 0.02)
                if m.bias is not None:
                    m.bias.data.normal_(0.0, 0.02)
            if isinstance(m, nn.ConvTranspose2d):
                m.weight.data.normal_(0.0, 0.02)

    def lrelu(self, x):
        return torch.max(0.2 * x, x)


def train(batches, epochs=1):
    model = SeeInDark()
    opt = torch.optim.Adam(model.parameters(), lr=1e-4)
    for epoch in range(epochs):
        for in_img, gt_img in batches:
            model.zero_grad()
            loss = (model(in_img) - gt_img).abs().mean()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    train([(torch.rand(1, 4, 16, 16), torch.rand(1, 3, 32, 32))])
