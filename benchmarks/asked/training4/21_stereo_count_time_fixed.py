import argparse
import time

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--count_time", action="store_true")
parser.add_argument("--num", default=20, type=int)
args = parser.parse_args()


class AANet(nn.Module):
    def __init__(self, max_disp=48):
        super().__init__()
        self.feature = nn.Conv2d(3, 16, 3, padding=1)
        self.estimate = nn.Conv2d(32, max_disp, 3, padding=1)

    def forward(self, left, right):
        cost = self.estimate(torch.cat((self.feature(left), self.feature(right)), dim=1))
        disp = torch.arange(cost.size(1), device=cost.device, dtype=cost.dtype).view(1, -1, 1, 1)
        return [(cost.softmax(1) * disp).sum(1)]


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    aanet = AANet().to(device)
    aanet = torch.nn.DataParallel(aanet) if torch.cuda.device_count() > 1 else aanet
    aanet.eval()

    inference_time = 0
    num_imgs = 0
    for i in range(args.num):
        left = torch.rand(1, 3, 384, 1248).to(device)
        right = torch.rand(1, 3, 384, 1248).to(device)
        with torch.no_grad():
            if device.type == "cuda":
                torch.cuda.synchronize()
            time_start = time.perf_counter()
            pred_disp = aanet(left, right)[-1]
            if device.type == "cuda":
                torch.cuda.synchronize()
            inference_time += time.perf_counter() - time_start
        num_imgs += left.size(0)
        print(i, pred_disp.shape)
    if args.count_time:
        print("=> Mean inference time for %d images: %.3fs" % (num_imgs, inference_time / num_imgs))


if __name__ == "__main__":
    main()
