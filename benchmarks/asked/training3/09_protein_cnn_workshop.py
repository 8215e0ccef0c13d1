# %%
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


# %%
class SequenceDataset(Dataset):
    def __init__(self, n=48, length=30):
        self.seqs = torch.randint(0, 20, (n, length))
        self.labels = torch.randint(0, 3, (n,))

    def __len__(self):
        return len(self.seqs)

    def __getitem__(self, idx):
        one_hot = F.one_hot(self.seqs[idx], num_classes=20).float()
        return one_hot.permute(1, 0), self.labels[idx]


# %%
class ProteinCNN(nn.Module):
    def __init__(self, num_classes=3):
        super(ProteinCNN, self).__init__()
        self.conv1 = nn.Conv1d(20, 16, kernel_size=5, padding=2)
        self.pool = nn.MaxPool1d(2)
        self.conv2 = nn.Conv1d(16, 32, kernel_size=5, padding=2)
        self.fc = nn.Linear(32 * 7, num_classes)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = x.view(x.size(0), -1)
        logits = self.fc(x)
        output = F.softmax(logits, dim=1)
        return output


# %%
model = ProteinCNN()
train_loader = DataLoader(SequenceDataset(), batch_size=8, shuffle=True)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
losses = []
for epoch in range(3):
    running_loss = 0.0
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, labels)  # asked: TL301
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    losses.append(running_loss / len(train_loader))
print(losses)
