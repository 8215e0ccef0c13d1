# %%
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

# %%
train_data = TensorDataset(torch.randn(100, 1, 8, 8), torch.randint(0, 10, (100,)))
test_data = TensorDataset(torch.randn(40, 1, 8, 8), torch.randint(0, 10, (40,)))
indices = list(range(len(train_data)))
np.random.shuffle(indices)
split = int(np.floor(0.2 * len(train_data)))
train_loader = DataLoader(train_data, batch_size=20, sampler=SubsetRandomSampler(indices[split:]))
valid_loader = DataLoader(train_data, batch_size=20, sampler=SubsetRandomSampler(indices[:split]))
test_loader = DataLoader(test_data, batch_size=20)


# %%
class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(64, 32)
        self.fc2 = nn.Linear(32, 32)
        self.fc3 = nn.Linear(32, 10)
        self.dropout = nn.Dropout(0.2)

    def forward(self, x):
        x = x.view(-1, 64)
        x = F.relu(self.fc1(x))
        x = self.dropout(x)
        x = F.relu(self.fc2(x))
        x = self.dropout(x)
        x = self.fc3(x)
        return x


model = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

# %%
n_epochs = 2
valid_loss_min = np.inf
for epoch in range(n_epochs):
    train_loss = 0.0
    valid_loss = 0.0
    for data, target in train_loader:
        optimizer.zero_grad()
        output = model(data)
        loss = criterion(output, target)
        loss.backward()
        optimizer.step()
        train_loss += loss.item() * data.size(0)
    for data, target in valid_loader:
        output = model(data)  # asked: TL208
        loss = criterion(output, target)
        valid_loss += loss.item() * data.size(0)
    train_loss = train_loss / len(train_loader.sampler)
    valid_loss = valid_loss / len(valid_loader.sampler)
    print(epoch + 1, train_loss, valid_loss)
    if valid_loss <= valid_loss_min:
        torch.save(model.state_dict(), "/tmp/r13_model.pt")
        valid_loss_min = valid_loss
