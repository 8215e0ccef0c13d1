import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


def dice_loss(pred, target, smooth=1.0):
    inter = (pred * target).sum()
    return -(2.0 * inter + smooth) / (pred.sum() + target.sum() + smooth)


def cmd_train(context):
    data = TensorDataset(torch.randn(32, 1, 8, 8), torch.randint(0, 2, (32, 1, 8, 8)).float())
    train_loader = DataLoader(data, batch_size=context["batch_size"], shuffle=True)
    model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 1), nn.Sigmoid())
    num_epochs = context["num_epochs"]
    initial_lr = context["initial_lr"]

    optimizer = optim.Adam(model.parameters(), lr=initial_lr)
    step_scheduler_batch = False
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, num_epochs)

    for epoch in range(1, num_epochs + 1):
        model.train()
        train_loss_total = 0.0
        num_steps = 0
        for i, (input_samples, gt_samples) in enumerate(train_loader):
            preds = model(input_samples)
            loss = dice_loss(preds, gt_samples)
            train_loss_total += loss.item()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            num_steps += 1
        scheduler.step()
        lr = scheduler.get_last_lr()[0]
        print(epoch, lr, train_loss_total / num_steps)


if __name__ == "__main__":
    cmd_train({"batch_size": 4, "num_epochs": 10, "initial_lr": 1e-3})
