# %%
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 5))
loss_fn = nn.CrossEntropyLoss()
train_loader = DataLoader(TensorDataset(torch.randn(60, 8), torch.randint(0, 5, (60,))), 10, shuffle=True)
val_loader = DataLoader(TensorDataset(torch.randn(20, 8), torch.randint(0, 5, (20,))), 10)


# %%
def training_epoch(model, data_loader, optimizer):
    all_loss = []
    model.train()
    for images, labels in data_loader:
        optimizer.zero_grad()
        loss = loss_fn(model(images), labels)
        loss.backward()
        optimizer.step()
        all_loss.append(loss.item())
    return sum(all_loss) / len(all_loss)


def evaluate(model, data_loader):
    model.eval()
    right = 0
    with torch.no_grad():
        for images, labels in data_loader:
            right += (model(images).argmax(1) == labels).sum().item()
    return right / len(data_loader.dataset)


# %%
from copy import deepcopy

n_epochs = 4
train_optimizer = optim.SGD(model.parameters(), lr=1e-2, momentum=0.9, weight_decay=5e-4)
best_state = model.state_dict()
best_validation_accuracy = 0.0
for epoch in range(n_epochs):
    average_loss = training_epoch(model, train_loader, train_optimizer)
    validation_accuracy = evaluate(model, val_loader)
    if validation_accuracy > best_validation_accuracy:
        best_validation_accuracy = validation_accuracy
        best_state = model.state_dict()  # asked: TL216
        print("Ding ding ding! We found a new best model!")

# %%
model.load_state_dict(best_state)
