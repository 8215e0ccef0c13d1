import argparse
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--lr", type=float, default=5e-5)
parser.add_argument("--seed", type=int, default=38)
args = parser.parse_args()
random.seed(args.seed)
np.random.seed(args.seed)
torch.manual_seed(args.seed)


class GAT(nn.Module):
    def __init__(self, stocks=12, dim=16):
        super().__init__()
        self.rnn = nn.GRU(3, dim, batch_first=True)
        self.out = nn.Linear(dim, 2)

    def forward(self, price, adj):
        h = self.rnn(price)[1][-1]
        return self.out(F.elu(adj @ h))


model = GAT()
optimizer = optim.Adam(model.parameters(), lr=args.lr, weight_decay=5e-4)
adj = torch.eye(12)


def train(epoch):
    model.train()
    i = np.random.randint(100)
    train_price = torch.tensor(np.random.randn(12, 5, 3), dtype=torch.float32)
    train_label = torch.LongTensor(np.random.randint(0, 2, (12, 1)))
    output = model(train_price, adj)
    output = F.log_softmax(output, dim=1)
    loss_train = F.nll_loss(output, torch.max(train_label, 1)[0])
    optimizer.zero_grad()
    loss_train.backward()
    optimizer.step()
    print(epoch, i, loss_train.item())


for epoch in range(args.epochs):
    train(epoch)
