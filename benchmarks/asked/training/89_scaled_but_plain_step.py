import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader, TensorDataset


def train_fn(loader, model, optimizer, loss_fn, scaler, device):
    for data, targets in loader:
        data = data.to(device=device)
        targets = targets.float().unsqueeze(1).to(device=device)
        with autocast(device):
            predictions = model(data)
            loss = loss_fn(predictions, targets)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        optimizer.step()  # asked: TL207
        scaler.update()


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    scaler = GradScaler(device)
    loader = DataLoader(TensorDataset(torch.randn(8, 3, 8, 8), torch.randint(0, 2, (8, 8, 8))), batch_size=4)
    for epoch in range(2):
        train_fn(loader, model, optimizer, nn.BCEWithLogitsLoss(), scaler, device)


if __name__ == "__main__":
    main()
