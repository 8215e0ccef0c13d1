import numpy as np
import torch
import torch.nn as nn

X = np.random.randn(60, 5).astype(np.float32)
y = (X[:, 0] > 0).astype(np.float32)
X_train = torch.from_numpy(X)
y_train = torch.from_numpy(y).reshape(-1, 1)


class Model(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.linear1 = nn.Linear(n_in, 16)
        self.linear2 = nn.Linear(16, 1)
        self.act = nn.ReLU()
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        x = self.act(self.linear1(x))
        x = self.linear2(x)
        x = self.softmax(x)  # asked: TL320
        return x


model = Model(X_train.shape[1])
loss_fn = nn.BCELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(5):
    pred = model(X_train)
    loss = loss_fn(pred, y_train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
