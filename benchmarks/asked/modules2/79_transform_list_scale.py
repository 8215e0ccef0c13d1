import argparse

import torchvision.transforms as transforms
from PIL import Image


def get_transform(opt, params=None, method=Image.BICUBIC, normalize=True):
    transform_list = []
    if "resize" in opt.resize_or_crop:
        osize = [opt.loadSize, opt.loadSize]
        transform_list.append(transforms.Scale(osize, method))  # asked: TL905
    if opt.isTrain and not opt.no_flip:
        transform_list.append(transforms.RandomHorizontalFlip())
    transform_list += [transforms.ToTensor()]
    if normalize:
        transform_list += [transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))]
    return transforms.Compose(transform_list)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--resize_or_crop", default="resize")
    parser.add_argument("--loadSize", type=int, default=256)
    parser.add_argument("--isTrain", action="store_true")
    parser.add_argument("--no_flip", action="store_true")
    print(get_transform(parser.parse_args()))
