import argparse
import functools

import torch
from torch.utils.data import DataLoader, Dataset


class Series(Dataset):
    def __init__(self, flag, length):
        generator = torch.Generator().manual_seed(len(flag))
        self.rows = [torch.randn(length - i % 3, 4, generator=generator) for i in range(30)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index], index % 2


def collate(data, max_len):
    features, labels = zip(*data)
    padded = torch.zeros(len(features), max_len, features[0].size(-1))
    mask = torch.zeros(len(features), max_len, dtype=torch.bool)
    for i, row in enumerate(features):
        padded[i, : len(row)] = row
        mask[i, : len(row)] = True
    return padded, torch.tensor(labels), mask


def data_provider(args, flag):
    shuffle_flag = flag == "train"
    data_set = Series(flag, args.seq_len)
    data_loader = DataLoader(
        data_set,
        batch_size=args.batch_size,
        shuffle=shuffle_flag,
        num_workers=args.num_workers,
        drop_last=False,
        collate_fn=functools.partial(collate, max_len=args.seq_len),
    )
    return data_set, data_loader


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=16)
    parser.add_argument("--seq_len", type=int, default=96)
    parser.add_argument("--num_workers", type=int, default=10)
    args = parser.parse_args()
    _, loader = data_provider(args, "train")
    for batch_x, label, padding_mask in loader:
        print(batch_x.shape)
