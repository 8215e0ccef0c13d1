import argparse
import os

import pandas as pd
import torch
import torch.nn as nn
import torchvision.models as models
import torchvision.transforms as transforms
from PIL import Image
from torch.utils.data import DataLoader, Dataset


class AVADataset(Dataset):
    def __init__(self, csv_file, root_dir, transform=None):
        self.annotations = pd.read_csv(csv_file)
        self.root_dir, self.transform = root_dir, transform

    def __len__(self):
        return len(self.annotations)

    def __getitem__(self, idx):
        name = os.path.join(self.root_dir, f"{self.annotations.iloc[idx, 0]}.jpg")
        image = self.transform(Image.open(name).convert("RGB"))
        ratings = torch.tensor(self.annotations.iloc[idx, 1:].to_numpy(dtype="float32"))
        return {"image": image, "annotations": ratings / ratings.sum()}


class NIMA(nn.Module):
    def __init__(self, num_classes=10):
        super().__init__()
        self.features = models.vgg16().features
        self.classifier = nn.Sequential(nn.Dropout(0.75), nn.Linear(25088, num_classes), nn.Softmax(dim=1))

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def emd_loss(p, q):
    return (p.cumsum(1) - q.cumsum(1)).pow(2).mean(1).add(1e-8).sqrt().mean()


def main(config):
    train_transform = transforms.Compose([
        transforms.Resize(256), transforms.RandomCrop(224), transforms.RandomHorizontalFlip(), transforms.ToTensor()])
    val_transform = transforms.Compose([
        transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor()])
    trainset = AVADataset(config.train_csv, config.img_path, train_transform)
    valset = AVADataset(config.val_csv, config.img_path, val_transform)
    train_loader = DataLoader(trainset, batch_size=128, shuffle=True, num_workers=4)
    val_loader = DataLoader(valset, batch_size=128, shuffle=False, num_workers=4)
    model = NIMA()
    optimizer = torch.optim.SGD(model.parameters(), lr=5e-3, momentum=0.9)
    for epoch in range(config.epochs):
        model.train()
        for data in train_loader:
            loss = emd_loss(data["annotations"], model(data["image"]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        losses = []
        for data in val_loader:
            with torch.no_grad():
                losses.append(emd_loss(data["annotations"], model(data["image"])).item())
        print(epoch, sum(losses) / len(losses))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--img_path", default="./data/images")
    parser.add_argument("--train_csv", default="./data/train_labels.csv")
    parser.add_argument("--val_csv", default="./data/val_labels.csv")
    parser.add_argument("--epochs", type=int, default=10)
    main(parser.parse_args())
