import os

import h5py
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class TensorFileDataset(Dataset):
    def __init__(self, name: str, desc_dir: str, local_desc_name: str, num_desc: int = 100):
        self.name = name
        self.desc_dir = desc_dir
        self.num_desc = num_desc
        self.local_file = os.path.join(desc_dir, local_desc_name)
        self.local_storage = h5py.File(self.local_file, "r", rdcc_nbytes=1024**2 * 400)  # asked: TL603

    def __len__(self):
        return 50

    def __getitem__(self, index):
        local = self.local_storage["features"][index][: self.num_desc]
        return torch.from_numpy(local.astype(np.float32)), index


def main():
    dataset = TensorFileDataset("roxford5k", "data", "local.hdf5")
    loader = DataLoader(dataset, batch_size=8, num_workers=4, pin_memory=True)
    for desc, index in loader:
        print(desc.shape)


if __name__ == "__main__":
    main()
