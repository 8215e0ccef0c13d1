import h5py
import torch
from torch.utils.data import DataLoader, Dataset


class HomographyDataset(Dataset):
    """Pairs of patches and the corners' offsets of them."""

    def __init__(self, hdf5file, imgs_key="images", labels_key="labels", transform=None):
        self.db = h5py.File(hdf5file, "r")  # asked: TL603
        keys = list(self.db.keys())
        if imgs_key not in keys:
            raise KeyError(imgs_key)
        if labels_key not in keys:
            raise KeyError(labels_key)
        self.imgs_key = imgs_key
        self.labels_key = labels_key
        self.transform = transform

    def __len__(self):
        return len(self.db[self.labels_key])

    def __getitem__(self, idx):
        image = self.db[self.imgs_key][idx]
        label = self.db[self.labels_key][idx]
        sample = {"images": image, "labels": label}
        if self.transform:
            sample = self.transform(sample)
        return sample


batch_size = 30

if __name__ == "__main__":
    trainset = HomographyDataset("train.h5")
    trainloader = DataLoader(trainset, batch_size=batch_size, shuffle=True, num_workers=4)
    for i, batch in enumerate(trainloader):
        print(i, batch["images"].shape)
