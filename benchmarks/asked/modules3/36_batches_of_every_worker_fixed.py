import math
import random

import torch
from torch.utils import data


class PackDataset(data.IterableDataset):
    def __init__(self, pack, batch_size=32, shuffle=True):
        self.pack = pack
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.batch_indices = None
        self.reset_index()

    def __len__(self):
        return math.ceil(len(self.pack) / self.batch_size)

    def reset_index(self):
        pool = list(range(len(self.pack)))
        if self.shuffle:
            random.shuffle(pool)
        self.batch_indices = [pool[i:i + self.batch_size] for i in range(0, len(pool), self.batch_size)]

    def __iter__(self):
        if self.shuffle:
            self.reset_index()
        info = data.get_worker_info()
        batches = self.batch_indices if info is None else self.batch_indices[info.id::info.num_workers]
        for indices in batches:
            rows = [self.pack[i] for i in indices]
            yield torch.tensor([r[0] for r in rows]), torch.tensor([r[1] for r in rows])


class PackLoader:
    def __init__(self, dataset, num_workers=0):
        self.loader = data.DataLoader(dataset, batch_size=None, shuffle=False, num_workers=num_workers)

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        for batch in self.loader:
            yield batch


if __name__ == "__main__":
    pack = [([float(i), 1.0], i % 2) for i in range(100)]
    loader = PackLoader(PackDataset(pack), num_workers=2)
    print(sum(len(y) for _, y in loader))
