import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img, boxes=None, labels=None):
        for t in self.transforms:
            img, boxes, labels = t(img, boxes, labels)
        return img, boxes, labels


class SubtractMeans:
    def __init__(self, mean):
        self.mean = np.array(mean, dtype=np.float32)

    def __call__(self, image, boxes=None, labels=None):
        return image.astype(np.float32) - self.mean, boxes, labels


class ToTensor:
    def __call__(self, image, boxes=None, labels=None):
        return torch.from_numpy(image).permute(2, 0, 1), boxes, labels


class TrainAugmentation:
    def __init__(self, size, mean=0, std=1.0):
        self.mean = mean
        self.size = size
        self.augment = Compose([
            SubtractMeans(self.mean),
            lambda img, boxes=None, labels=None: (img / std, boxes, labels),  # asked: TL603
            ToTensor(),
        ])

    def __call__(self, img, boxes, labels):
        return self.augment(img, boxes, labels)


class VOCDataset(Dataset):
    def __init__(self, root, transform=None):
        self.root = root
        self.transform = transform
        self.ids = list(range(32))

    def __getitem__(self, index):
        image = np.random.randint(0, 256, (32, 32, 3), dtype=np.uint8)
        boxes, labels = np.zeros((1, 4), np.float32), np.ones(1, np.int64)
        if self.transform:
            image, boxes, labels = self.transform(image, boxes, labels)
        return image, boxes, labels

    def __len__(self):
        return len(self.ids)


if __name__ == "__main__":
    train_dataset = VOCDataset("data", transform=TrainAugmentation(300, np.array([127, 127, 127]), 128.0))
    train_loader = DataLoader(train_dataset, 8, num_workers=4, shuffle=True, multiprocessing_context="spawn")
    for images, boxes, labels in train_loader:
        print(images.shape)
