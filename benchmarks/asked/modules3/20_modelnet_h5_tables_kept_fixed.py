import os

import h5py
import torch
import torch.utils.data as data


class ShapesDataset(data.Dataset):
    def __init__(self, data_dir, train=True):
        self.data_dir = data_dir
        self.train = train
        file = h5py.File(os.path.join(self.data_dir, "shapes.h5"), "r")
        if self.train:
            self.points = file["train"]["data"][:]
            self.labels = file["train"]["label"][:]
        else:
            self.points = file["test"]["data"][:]
            self.labels = file["test"]["label"][:]

    def __getitem__(self, index):
        return torch.from_numpy(self.points[index]), int(self.labels[index])

    def __len__(self):
        return self.points.shape[0]


def main():
    loader = data.DataLoader(ShapesDataset("shapes"), batch_size=16, shuffle=True, num_workers=2)
    for epoch in range(3):
        for points, labels in loader:
            assert labels.max() < 40


if __name__ == "__main__":
    main()
