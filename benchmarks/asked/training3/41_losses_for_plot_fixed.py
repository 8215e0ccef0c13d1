# %%
import torch
import torch.nn as nn


# %%
class LinearNet(nn.Module):
    def __init__(self, in_dim, out_dim):
        super().__init__()
        self.layer = nn.Linear(in_dim, out_dim)

    def forward(self, x):
        return self.layer(x)


def train(features, labels, model, loss_fun, optim, n_epochs):
    loss_record = []
    for i in range(n_epochs):
        optim.zero_grad()
        pred = model(features)
        l = loss_fun(pred, labels)
        l.backward()
        optim.step()
        loss_record.append(l.detach())
    return loss_record


# %%
feats = torch.randn(100, 5)
targets = feats @ torch.ones(5, 1) + 0.1 * torch.randn(100, 1)
num_epochs = 20
model = LinearNet(5, 1)
losses = train(feats, targets, model, nn.MSELoss(), torch.optim.SGD(model.parameters(), lr=1e-2), num_epochs)

# %%
print(list(zip(range(num_epochs), losses))[-1])
