import torch
import torch.nn as nn


class GatedRNN(nn.Module):
    def __init__(self, n_in, n_rec, n_out):
        super().__init__()
        self.n_rec = n_rec
        self.w_in = nn.Linear(n_in, n_rec)
        self.w_rec = nn.Linear(n_rec, n_rec, bias=False)
        self.w_out = nn.Linear(n_rec, n_out)

    def forward(self, u):
        batch, steps, _ = u.shape
        x = torch.zeros(batch, self.n_rec)
        states = []
        for t in range(steps):
            gate = torch.sigmoid(self.w_in(u[:, t]))
            x = gate * x + self.w_rec(x)
            states.append(x)
        return self.w_out(torch.stack(states, 1))


model = GatedRNN(3, 12, 2)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(2):
    out = model(torch.randn(4, 6, 3))
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
