import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class UNet3D(nn.Module):
    def __init__(self, f_maps=8):
        super().__init__()
        self.encoders = nn.ModuleList([nn.Conv3d(1, f_maps, 3, padding=1)])
        self.final_conv = nn.Conv3d(f_maps, 1, 1)

    def forward(self, x):
        for encoder in self.encoders:
            x = torch.relu(encoder(x))
        return self.final_conv(x)


def save_checkpoint(model, optimizer, checkpoint_dir):
    state_dict = model.module.state_dict() if isinstance(model, nn.DataParallel) else model.state_dict()
    state = {"model_state_dict": state_dict, "optimizer_state_dict": optimizer.state_dict()}
    torch.save(state, os.path.join(checkpoint_dir, "last_checkpoint.pytorch"))


def load_checkpoint(checkpoint_path, model, optimizer=None):
    state = torch.load(checkpoint_path, map_location="cpu")
    model = model.module if isinstance(model, nn.DataParallel) else model
    model.load_state_dict(state["model_state_dict"])
    if optimizer is not None:
        optimizer.load_state_dict(state["optimizer_state_dict"])


class UNetTrainer:
    def __init__(self, model, optimizer, loader, checkpoint_dir, resume=None):
        self.model, self.optimizer, self.loader, self.checkpoint_dir = model, optimizer, loader, checkpoint_dir
        self.criterion = nn.BCEWithLogitsLoss()
        if resume is not None:
            load_checkpoint(resume, self.model, self.optimizer)

    def fit(self, epochs):
        for _ in range(epochs):
            self.model.train()
            for raw, target in self.loader:
                loss = self.criterion(self.model(raw), target)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            save_checkpoint(self.model, self.optimizer, self.checkpoint_dir)


def create_trainer(checkpoint_dir, resume=None):
    model = nn.DataParallel(UNet3D())
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-4)
    data = TensorDataset(torch.rand(4, 1, 4, 8, 8), torch.rand(4, 1, 4, 8, 8).round())
    return UNetTrainer(model, optimizer, DataLoader(data, batch_size=2, shuffle=True), checkpoint_dir, resume)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        create_trainer(folder).fit(1)
        create_trainer(folder, resume=os.path.join(folder, "last_checkpoint.pytorch")).fit(1)
