import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class MyDataset(Dataset):
    def __init__(self, size=64):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, item):
        sample = torch.rand(3, 8)
        return sample


def main():
    model = nn.Linear(8, 2).to("cuda:0")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    dl = DataLoader(MyDataset(), batch_size=4, num_workers=2, shuffle=True)
    for batch in dl:
        batch = batch.to("cuda:0")
        loss = model(batch).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
