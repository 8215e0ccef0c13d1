import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, Dataset


class CustomDataset(Dataset):
    def __init__(self, data_root, window=96, proportion=0.8, seed=123, period="train"):
        super().__init__()
        self.window, self.period = window, period
        self.rawdata, self.scaler = self.read_data(data_root)
        self.data = self.__normalize(self.rawdata)
        train, inference = self.__getsamples(self.data, proportion, seed)
        self.samples = train if period == "train" else inference

    @staticmethod
    def read_data(filepath):
        data = pd.read_csv(filepath).values[:, 1:].astype(np.float32)
        scaler = StandardScaler()
        scaler = scaler.fit(data)  # asked: TL611
        return data, scaler

    def __normalize(self, rawdata):
        return self.scaler.transform(rawdata).astype(np.float32)

    def __getsamples(self, data, proportion, seed):
        count = max(len(data) - self.window + 1, 0)
        samples = np.stack([data[i : i + self.window] for i in range(count)])
        return self.divide(samples, proportion, seed)

    @staticmethod
    def divide(samples, ratio, seed=2023):
        size = int(np.ceil(len(samples) * ratio))
        return samples[:size], samples[size:]

    def __getitem__(self, ind):
        return self.samples[ind]

    def __len__(self):
        return len(self.samples)


def build_dataloaders(path):
    train_set = CustomDataset(path, period="train")
    test_set = CustomDataset(path, period="test")
    return DataLoader(train_set, batch_size=32, shuffle=True), DataLoader(test_set, batch_size=32, shuffle=False)


if __name__ == "__main__":
    train_loader, test_loader = build_dataloaders("ETTh1.csv")
    print(len(train_loader), len(test_loader))
