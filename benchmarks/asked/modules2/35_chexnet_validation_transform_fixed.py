import time

import torch
import torch.nn as nn
import torch.optim as optim
import torchvision.transforms as transforms
from PIL import Image
from torch.utils.data import DataLoader, Dataset


class DatasetGenerator(Dataset):
    def __init__(self, pathImageDirectory, pathDatasetFile, transform):
        self.listImagePaths, self.listImageLabels = [], []
        self.transform = transform
        for line in open(pathDatasetFile):
            items = line.split()
            self.listImagePaths.append(pathImageDirectory + items[0])
            self.listImageLabels.append([int(i) for i in items[1:]])

    def __getitem__(self, index):
        imageData = Image.open(self.listImagePaths[index]).convert("RGB")
        imageLabel = torch.FloatTensor(self.listImageLabels[index])
        return self.transform(imageData), imageLabel

    def __len__(self):
        return len(self.listImagePaths)


def train(model, pathDirData, pathFileTrain, pathFileVal, trBatchSize, trMaxEpoch, transCrop):
    normalize = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
    transformList = []
    transformList.append(transforms.RandomResizedCrop(transCrop))
    transformList.append(transforms.RandomHorizontalFlip())
    transformList.append(transforms.ToTensor())
    transformList.append(normalize)
    transformSequence = transforms.Compose(transformList)
    transformVal = transforms.Compose([transforms.Resize(transCrop), transforms.CenterCrop(transCrop), transforms.ToTensor(), normalize])
    datasetTrain = DatasetGenerator(pathDirData, pathFileTrain, transform=transformSequence)
    datasetVal = DatasetGenerator(pathDirData, pathFileVal, transform=transformVal)
    dataLoaderTrain = DataLoader(dataset=datasetTrain, batch_size=trBatchSize, shuffle=True, num_workers=24, pin_memory=True)
    dataLoaderVal = DataLoader(dataset=datasetVal, batch_size=trBatchSize, shuffle=False, num_workers=24, pin_memory=True)
    optimizer = optim.Adam(model.parameters(), lr=0.0001)
    loss = nn.BCELoss()
    for epochID in range(trMaxEpoch):
        model.train()
        for batchID, (input, target) in enumerate(dataLoaderTrain):
            lossvalue = loss(model(input), target)
            optimizer.zero_grad()
            lossvalue.backward()
            optimizer.step()
        print(time.strftime("%H%M%S"), epochVal(model, dataLoaderVal, loss))


def epochVal(model, dataLoader, loss):
    model.eval()
    lossVal = 0
    with torch.no_grad():
        for input, target in dataLoader:
            lossVal += loss(model(input), target).item()
    return lossVal / len(dataLoader)


if __name__ == "__main__":
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 14), nn.Sigmoid())
    train(net, "./database", "./dataset/train.txt", "./dataset/val.txt", 16, 100, 224)
