import random

import numpy as np
from torch.utils.data import DataLoader, Dataset


class Randomizable:
    def __init__(self):
        self.R = np.random.RandomState()  # asked: TL604

    def set_random_state(self, seed):
        self.R = np.random.RandomState(seed)
        return self

    def randomize(self):
        raise NotImplementedError


class RandShift(Randomizable):
    def randomize(self):
        self.val = self.R.random_sample()

    def __call__(self, x):
        self.randomize()
        return x, self.val


class ArrayDataset(Dataset):
    def __init__(self, data, transform):
        self.data, self.transform = data, transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.transform(self.data[index])


def worker_init_fn(worker_id):
    np.random.seed(random.randint(0, 2**32 - 1))


if __name__ == "__main__":
    dataset = ArrayDataset(np.arange(12.0), transform=RandShift())
    loader = DataLoader(dataset, batch_size=3, shuffle=False, num_workers=3, worker_init_fn=worker_init_fn)
    for epoch in range(2):
        print("-" * 10, epoch, random.random() < 2)
        for values, shift in loader:
            print(values.tolist(), shift.tolist())
