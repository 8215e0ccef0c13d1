import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


class TrajectoryDataset(Dataset):
    def __init__(self, n=200):
        self.fields = torch.randn(n, 16, 4).sort(dim=0).values

    def __len__(self):
        return len(self.fields)

    def __getitem__(self, index):
        return {"traj": self.fields[index]}


def get_dataset(batch_size=32, val_set_size=0.05, results_dir=None, save_indices=False):
    full_dataset = TrajectoryDataset()
    train_size = int((1 - val_set_size) * len(full_dataset))
    train_subset, val_subset = random_split(full_dataset, [train_size, len(full_dataset) - train_size])
    train_dataloader = DataLoader(train_subset, batch_size=batch_size, shuffle=True)
    val_dataloader = DataLoader(val_subset, batch_size=batch_size)
    if save_indices:
        torch.save(train_subset.indices, os.path.join(results_dir, "train_subset_indices.pt"))
    return train_subset, train_dataloader, val_subset, val_dataloader


def train(model, train_dataloader, val_dataloader, epochs, lr):
    optim = torch.optim.Adam(lr=lr, params=model.parameters())
    for epoch in range(epochs):
        model.train()
        for step, batch in enumerate(train_dataloader):
            x = batch["traj"].flatten(1)
            loss = (model(x) - x).pow(2).mean()
            optim.zero_grad()
            loss.backward()
            optim.step()
        model.eval()
        with torch.no_grad():
            print(epoch, sum((model(b["traj"].flatten(1)) - b["traj"].flatten(1)).pow(2).mean().item() for b in val_dataloader))


if __name__ == "__main__":
    _, train_loader, _, val_loader = get_dataset()
    train(nn.Sequential(nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, 64)), train_loader, val_loader, 3, 1e-3)
