import torch
import torch.nn as nn


class PathReasoner(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.path = nn.Linear(2 * dim, dim)
        self.score = nn.Linear(dim, 1)
        self.classify = nn.Linear(dim, 5)

    def forward(self, head, tail, path_mask):
        paths = torch.relu(self.path(torch.cat([head, tail], dim=-1)))
        scores = self.score(paths)
        scores_mask = scores.masked_fill(~path_mask.unsqueeze(-1), torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores_mask, dim=1)
        return self.classify((weights * paths).sum(1))


model = PathReasoner()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
kind = "cuda" if torch.cuda.is_available() else "cpu"
model.to(kind)
scaler = torch.amp.GradScaler(kind)
for _ in range(2):
    head, tail = torch.randn(3, 7, 16, device=kind), torch.randn(3, 7, 16, device=kind)
    mask = torch.rand(3, 7, device=kind) > 0.3
    labels = torch.randint(0, 5, (3,), device=kind)
    optimizer.zero_grad()
    with torch.autocast(kind, dtype=torch.float16):
        loss = criterion(model(head, tail, mask), labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(loss.item())
