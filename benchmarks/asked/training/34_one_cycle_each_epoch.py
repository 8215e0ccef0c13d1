import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

epochs = 5
train_dataloader = DataLoader(TensorDataset(torch.randn(160, 8), torch.randn(160, 1)), batch_size=16)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
steps_per_epoch = len(train_dataloader)
lr_scheduler = torch.optim.lr_scheduler.OneCycleLR(
    optimizer, max_lr=1e-1, steps_per_epoch=steps_per_epoch, epochs=epochs
)


def train_epoch():
    model.train()
    for x, y in train_dataloader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()


for epoch in range(epochs):
    train_epoch()
    lr_scheduler.step()  # asked: TL205
    print(epoch, lr_scheduler.get_last_lr())
