import torch
from torch import nn

signals = torch.randn(16, 1, 64)
adapt = nn.Conv1d(1, 8, kernel_size=3, padding=1)
net = nn.Sequential(nn.Conv1d(8, 16, 3, padding=1), nn.GELU(), nn.Conv1d(16, 8, 3, padding=1))
opt = torch.optim.Adam(list(net.parameters()), lr=1e-3)

training_seq = adapt(signals)
for step in range(20):
    noise = torch.randn_like(training_seq)
    loss = (net(training_seq + noise) - noise).abs().mean()
    loss.backward()  # asked: TL104
    opt.step()
    opt.zero_grad()
    if step % 5 == 0:
        print(step, loss.item())
