import torch
import torch.nn as nn
import torchvision.transforms as transforms
from torchvision import datasets

batch_size = 20
num_workers = 0
train_transform = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.RandomRotation(10), transforms.ToTensor(), transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))])
plain_transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))])
train_data = datasets.CIFAR10("data", train=True, download=True, transform=train_transform)
valid_data = datasets.CIFAR10("data", train=True, download=True, transform=plain_transform)

train_size = int(0.8 * len(train_data))
valid_size = len(train_data) - train_size
indices = torch.randperm(len(train_data)).tolist()
train_dataset = torch.utils.data.Subset(train_data, indices[:train_size])
valid_dataset = torch.utils.data.Subset(valid_data, indices[train_size:])

train_loader = torch.utils.data.DataLoader(train_dataset, batch_size=batch_size, shuffle=True, num_workers=num_workers)
valid_loader = torch.utils.data.DataLoader(valid_dataset, batch_size=batch_size, num_workers=num_workers)

model = nn.Sequential(nn.Flatten(), nn.Linear(3072, 128), nn.ReLU(), nn.Linear(128, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(1, 3):
    train_loss = 0.0
    valid_loss = 0.0
    model.train()
    for data, target in train_loader:
        optimizer.zero_grad()
        output = model(data)
        loss = criterion(output, target)
        loss.backward()
        optimizer.step()
        train_loss += loss.item() * data.size(0)
    model.eval()
    with torch.no_grad():
        for data, target in valid_loader:
            output = model(data)
            loss = criterion(output, target)
            valid_loss += loss.item() * data.size(0)
    print(epoch, train_loss / train_size, valid_loss / valid_size)
