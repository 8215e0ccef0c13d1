import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.randint(0, 4, (200, 3))
y = torch.randint(0, 2, (200,))
train_dataloader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)


class IncomeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedded_layer = nn.Sequential(
            nn.Embedding(num_embeddings=4, embedding_dim=8),
            nn.Embedding(num_embeddings=4, embedding_dim=8),  # asked: TL507
        )
        self.stacked_layer = nn.Sequential(
            nn.Linear(in_features=24, out_features=64),
            nn.ReLU(),
            nn.BatchNorm1d(64),
            nn.Linear(in_features=64, out_features=2),
        )

    def forward(self, x):
        x = self.embedded_layer(x)
        x = x.view(x.size(0), -1)
        return self.stacked_layer(x)


model = IncomeModel()
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for xb, yb in train_dataloader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
