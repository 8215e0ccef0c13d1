import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


def my_interp(points, where):
    return torch.lerp(points[:-1], points[1:], where)


class LaneDataset(Dataset):
    def __init__(self, n):
        self.points = np.random.rand(n, 20, 2).astype(np.float32)
        self.row_anchor = np.linspace(0, 1, 38).reshape(19, 2).astype(np.float32)

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        points = torch.tensor(self.points[index])
        where = torch.from_numpy(self.row_anchor)
        return my_interp(points, where)


def get_train_loader(batch_size):
    return DataLoader(LaneDataset(100), batch_size=batch_size, shuffle=True, num_workers=4)


if __name__ == "__main__":
    for lanes in get_train_loader(8):
        print(lanes.cuda().mean())
