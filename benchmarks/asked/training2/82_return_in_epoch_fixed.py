import time

import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.ReLU())
        self.top_layer = nn.Linear(16, 10)

    def forward(self, x):
        return self.top_layer(self.features(x).mean((2, 3)))


def train(loader, model, crit, opt, epoch, verbose=True):
    batch_time, losses = AverageMeter(), AverageMeter()
    model.train()
    optimizer_tl = torch.optim.SGD(model.top_layer.parameters(), lr=0.05, weight_decay=1e-5)
    end = time.time()
    for i, (input_tensor, target) in enumerate(loader):
        output = model(input_tensor)
        loss = crit(output, target)
        losses.update(loss.item(), input_tensor.size(0))
        opt.zero_grad()
        optimizer_tl.zero_grad()
        loss.backward()
        opt.step()
        optimizer_tl.step()
        batch_time.update(time.time() - end)
        end = time.time()
        if verbose and (i % 200) == 0:
            print("Epoch: [{0}][{1}/{2}] Loss {3}".format(epoch, i, len(loader), losses.val))
    return losses.avg


def main():
    model = Net()
    optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, model.features.parameters()), lr=0.05, momentum=0.9)
    loader = [(torch.randn(4, 3, 8, 8), torch.randint(0, 10, (4,))) for _ in range(3)]
    for epoch in range(2):
        print(train(loader, model, nn.CrossEntropyLoss(), optimizer, epoch))


if __name__ == "__main__":
    main()
