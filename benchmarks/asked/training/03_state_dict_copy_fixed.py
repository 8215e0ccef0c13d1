import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def fit(model, train_loader, val_loader, epochs=20, patience=4):
    criterion = nn.L1Loss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
    best_val_loss = float("inf")
    best_state_dict = None
    epochs_without_improvement = 0
    for epoch in range(epochs):
        model.train()
        for features, target in train_loader:
            optimizer.zero_grad()
            prediction = model(features)
            loss = criterion(prediction, target)
            loss.backward()
            optimizer.step()

        model.eval()
        val_loss = 0.0
        with torch.no_grad():
            for features, target in val_loader:
                prediction = model(features)
                val_loss += criterion(prediction, target).item()
        val_loss /= len(val_loader)
        scheduler.step(val_loss)

        if val_loss < best_val_loss:
            best_val_loss = val_loss
            best_state_dict = copy.deepcopy(model.state_dict())
            epochs_without_improvement = 0
        else:
            epochs_without_improvement += 1
            if epochs_without_improvement >= patience:
                break

    if best_state_dict is not None:
        model.load_state_dict(best_state_dict)
    return best_val_loss


if __name__ == "__main__":
    x = torch.randn(96, 10)
    y = x[:, :1] * 2 + 0.1 * torch.randn(96, 1)
    train = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    val = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
    net = nn.Sequential(nn.Linear(10, 32), nn.SiLU(), nn.Linear(32, 1))
    print(fit(net, train, val))
