import copy

import lightning.pytorch as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split
from torchvision import transforms


class Pairs(Dataset):
    def __init__(self, root, transforms=None):
        self.images = torch.rand(50, 3, 64, 64)
        self.labels = torch.randint(0, 2, (50,))
        self.transforms = transforms

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index]
        if self.transforms is not None:
            image = self.transforms(image)
        return image, self.labels[index]


class PairsModule(pl.LightningDataModule):
    def __init__(self, root, batch_size=8, val_split_pct=0.2):
        super().__init__()
        self.root = root
        self.batch_size = batch_size
        self.val_split_pct = val_split_pct

    def setup(self, stage=None):
        train_transforms = transforms.Compose([transforms.RandomCrop(48), transforms.RandomHorizontalFlip()])
        test_transforms = transforms.Compose([transforms.CenterCrop(48)])
        dataset = Pairs(self.root, transforms=train_transforms)
        n_val = int(len(dataset) * self.val_split_pct)
        self.train_dataset, self.val_dataset = random_split(dataset, [len(dataset) - n_val, n_val])
        self.val_dataset.dataset = copy.copy(dataset)
        self.val_dataset.dataset.transforms = test_transforms

    def train_dataloader(self):
        return DataLoader(self.train_dataset, batch_size=self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val_dataset, batch_size=self.batch_size)
