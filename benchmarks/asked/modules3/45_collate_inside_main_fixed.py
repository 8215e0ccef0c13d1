import argparse

import torch
from torch.utils.data import DataLoader, Dataset


class PromptDataset(Dataset):
    def __init__(self, prompts):
        self.prompts = prompts

    def __len__(self):
        return len(self.prompts)

    def __getitem__(self, i):
        return {"pixels": torch.rand(3, 16, 16), "ids": [ord(c) % 50 for c in self.prompts[i]]}


def collate_fn(examples):
    longest = max(len(e["ids"]) for e in examples)
    ids = [e["ids"] + [0] * (longest - len(e["ids"])) for e in examples]
    return {"pixels": torch.stack([e["pixels"] for e in examples]), "ids": torch.tensor(ids)}


def main(args):
    dataset = PromptDataset(["a photo", "a painting of it", "sks dog"] * args.repeats)

    loader = DataLoader(dataset, batch_size=args.batch_size, shuffle=True, collate_fn=collate_fn, num_workers=1)
    for step, batch in enumerate(loader):
        print(step, batch["pixels"].shape, batch["ids"].shape)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    main(parser.parse_args([]))
