import torch
import torch.nn as nn
import torch.optim as optim
from torchvision import datasets, transforms

train_loader = torch.utils.data.DataLoader(
    datasets.MNIST("../data", train=True, download=True, transform=transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])),
    batch_size=64,
    shuffle=True,
    num_workers=1,
    pin_memory=True,
)

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.5)


def train(epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(train_loader):
        optimizer.zero_grad()
        output = model(data)
        loss = nn.functional.cross_entropy(output, target)
        loss.backward()
        optimizer.step()
        if batch_idx % 100 == 0:
            print("Train Epoch: {} [{}]\tLoss: {:.6f}".format(epoch, batch_idx * len(data), loss.item()))


for epoch in range(1, 3):
    train(epoch)  # asked: TL609
