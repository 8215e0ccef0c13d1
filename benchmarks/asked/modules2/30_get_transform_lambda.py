import argparse
import random

import torch
import torchvision.transforms as transforms
from PIL import Image
from torch.utils.data import DataLoader, Dataset


def make_power_2(img, base, method=Image.BICUBIC):
    ow, oh = img.size
    return img.resize((round(ow / base) * base, round(oh / base) * base), method)


def get_transform(opt, method=Image.BICUBIC):
    transform_list = []
    if "resize" in opt.preprocess:
        transform_list.append(transforms.Resize([opt.load_size, opt.load_size], method))
    if opt.preprocess == "none":
        transform_list.append(transforms.Lambda(lambda img: make_power_2(img, base=4, method=method)))  # asked: TL603
    transform_list += [transforms.ToTensor(), transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))]
    return transforms.Compose(transform_list)


class UnalignedDataset(Dataset):
    def __init__(self, opt, paths_A, paths_B):
        self.A_paths, self.B_paths = paths_A, paths_B
        self.transform_A = get_transform(opt)
        self.transform_B = get_transform(opt)

    def __getitem__(self, index):
        A = self.transform_A(Image.open(self.A_paths[index % len(self.A_paths)]).convert("RGB"))
        B = self.transform_B(Image.open(random.choice(self.B_paths)).convert("RGB"))
        return {"A": A, "B": B}

    def __len__(self):
        return max(len(self.A_paths), len(self.B_paths))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--preprocess", default="none")
    parser.add_argument("--load_size", type=int, default=286)
    parser.add_argument("--num_threads", type=int, default=4)
    opt = parser.parse_args()
    dataset = UnalignedDataset(opt, ["a.png"], ["b.png"])
    dataloader = DataLoader(dataset, batch_size=1, shuffle=True, num_workers=int(opt.num_threads))
    for i, data in enumerate(dataloader):
        print(data["A"].shape)
