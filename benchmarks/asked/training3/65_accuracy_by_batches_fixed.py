# %%
from time import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

# %%
train_data = TensorDataset(torch.randn(96, 20), torch.randint(0, 4, (96,)))
train_loader = DataLoader(train_data, batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
criterion = nn.CrossEntropyLoss()

# %%
model.train()
start = time()
for epoch in range(1, 3):
    sum_loss = 0.0
    count = 0
    n_iter = 0
    for image, label in train_loader:
        y = model(image)
        loss = criterion(y, label)
        model.zero_grad()
        loss.backward()
        optimizer.step()
        sum_loss += loss.item()
        n_iter += 1
        pred = torch.argmax(y, dim=1)
        count += torch.sum(pred == label)
    print("epoch: {}, mean loss: {}, mean accuracy: {}, elapsed_time :{}".format(
        epoch, sum_loss / n_iter,
        count.item() / len(train_data),
        time() - start))
