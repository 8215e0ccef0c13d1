import torch
import torch.nn as nn
import torch.optim as optim
import torch.utils.data as data


class Detection(data.Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, index):
        return torch.rand(3, 16, 16), torch.rand(4)


def train(max_iter=100, batch_size=8):
    dataset = Detection()
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4))
    optimizer = optim.SGD(net.parameters(), lr=1e-3, momentum=0.9)
    criterion = nn.SmoothL1Loss()
    net.train()
    epoch, epoch_size = 0, len(dataset) // batch_size
    data_loader = data.DataLoader(dataset, batch_size, shuffle=True)
    batch_iterator = iter(data_loader)
    for iteration in range(max_iter):
        if iteration != 0 and iteration % epoch_size == 0:
            epoch += 1
        try:
            images, targets = next(batch_iterator)
        except StopIteration:
            batch_iterator = iter(data_loader)
            images, targets = next(batch_iterator)
        out = net(images)
        optimizer.zero_grad()
        loss = criterion(out, targets)
        loss.backward()
        optimizer.step()
        if iteration % 10 == 0:
            print("iter", iteration, loss.item())


if __name__ == "__main__":
    train()
