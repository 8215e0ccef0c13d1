import argparse

import torch
import torch.nn as nn


class SaliencyNet(nn.Module):
    def __init__(self, alpha, use_gpu=True):
        super().__init__()
        self.base = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 1, 1))
        if use_gpu:
            self.alpha = nn.Parameter(torch.Tensor([alpha]).cuda())
        else:
            self.alpha = nn.Parameter(torch.Tensor([alpha]))
        print("Initial alpha set to: {}".format(self.alpha))

    def forward(self, frame, previous=None):
        out = self.base(frame)
        gate = torch.sigmoid(self.alpha)
        state = out if previous is None else gate * out + (1 - gate) * previous
        return state, torch.sigmoid(state)


def main(args):
    model = SaliencyNet(0.1, args.use_gpu)
    if args.use_gpu:
        model = model.cuda()
    optimizer = torch.optim.Adam([{"params": model.base.parameters(), "lr": args.lr}, {"params": model.alpha, "lr": 0.1}])
    criterion = nn.BCELoss()
    state = None
    for _ in range(4):
        frame = torch.rand(1, 3, 32, 32)
        target = torch.rand(1, 1, 32, 32)
        if args.use_gpu:
            frame, target = frame.cuda(), target.cuda()
        state, saliency = model(frame, state)
        loss = criterion(saliency, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        state = state.detach()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--use_gpu", action="store_true")
    parser.add_argument("--lr", type=float, default=1e-4)
    main(parser.parse_args())
