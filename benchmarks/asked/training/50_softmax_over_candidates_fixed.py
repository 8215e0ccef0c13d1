import random

import torch
import torch.nn.functional as F
from torch import nn

J = 4


def kmax_pooling(x, dim, k):
    index = x.topk(k, dim=dim)[1].sort(dim=dim)[0]
    return x.gather(dim, index)


class CDSSM(nn.Module):
    def __init__(self):
        super(CDSSM, self).__init__()
        self.query_conv = nn.Conv1d(30, 20, 1)
        self.query_sem = nn.Linear(20, 8)
        self.doc_conv = nn.Conv1d(30, 20, 3)
        self.doc_sem = nn.Linear(20, 8)
        self.learn_gamma = nn.Conv1d(1, 1, 1)

    def forward(self, q, pos, negs):
        q = q.transpose(1, 2)
        q_c = torch.tanh(self.query_conv(q))
        q_k = kmax_pooling(q_c, 2, 1)
        q_s = torch.tanh(self.query_sem(q_k.transpose(1, 2)))
        q_s = q_s.reshape(8)
        docs = [pos] + negs
        sims = []
        for doc in docs:
            d_c = torch.tanh(self.doc_conv(doc.transpose(1, 2)))
            d_k = kmax_pooling(d_c, 2, 1)
            d_s = torch.tanh(self.doc_sem(d_k.transpose(1, 2))).reshape(8)
            sims.append(torch.dot(q_s, d_s))
        dots = torch.stack(sims)
        with_gamma = self.learn_gamma(dots.view(1, 1, J + 1))
        return with_gamma.reshape(1, J + 1)


model = CDSSM()
l_Qs = [torch.randn(1, random.randint(5, 9), 30) for _ in range(6)]
pos_l_Ds = [torch.randn(1, random.randint(5, 9), 30) for _ in range(6)]
neg_l_Ds = [[torch.randn(1, 7, 30) for _ in range(J)] for _ in range(6)]
y = torch.tensor([0])
criterion = torch.nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for i in range(6):
    y_pred = model(l_Qs[i], pos_l_Ds[i], neg_l_Ds[i])
    loss = criterion(y_pred, y)
    print(i, loss.item())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
