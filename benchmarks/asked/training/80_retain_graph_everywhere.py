import torch
import torch.nn as nn

model = nn.GRU(6, 12, batch_first=True)
head = nn.Linear(12, 1)
params = list(model.parameters()) + list(head.parameters())
optimizer = torch.optim.Adam(params, lr=1e-3)
criterion = nn.MSELoss()


def run_epoch(batches):
    total = 0.0
    for seq, target in batches:
        h0 = torch.zeros(1, seq.size(0), 12)
        optimizer.zero_grad()
        out, h = model(seq, h0)
        pred = head(out[:, -1])
        loss = criterion(pred, target)
        loss.backward(retain_graph=True)  # asked: TL108
        optimizer.step()
        total += loss.item()
    return total


batches = [(torch.randn(4, 5, 6), torch.randn(4, 1)) for _ in range(5)]
for epoch in range(3):
    print(run_epoch(batches))
