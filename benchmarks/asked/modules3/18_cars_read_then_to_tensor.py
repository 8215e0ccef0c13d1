import os

import pandas as pd
import torch
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms
from torchvision.io import read_image


class CarsDataset(Dataset):
    def __init__(self, annotations, img_dir, transform=None):
        self.labels = pd.read_csv(annotations)
        self.img_dir = img_dir
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        path = os.path.join(self.img_dir, self.labels.iloc[idx, 0])
        image = read_image(path)
        label = self.labels.iloc[idx, 1]
        if self.transform:
            image = self.transform(image)
        return image, label


preprocess = transforms.Compose(
    [
        transforms.Resize((224, 224)),
        transforms.ToTensor(),  # asked: TL616
        transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    ]
)

dataset = CarsDataset("cars.csv", "cars", transform=preprocess)
loader = DataLoader(dataset, batch_size=32, shuffle=True)
for images, labels in loader:
    print(images.shape, labels)
    break
