import torch
import torch.nn as nn
import torch.nn.functional as F


class RecallModule(nn.Module):
    def __init__(self, channel, L=50):
        super().__init__()
        self.keys = torch.randn(L, channel)  # asked: TL403
        self.values = torch.randn(L, channel)

    def forward(self, x):
        b, c, h, w = x.shape
        query = x.permute(0, 2, 3, 1).reshape(-1, c)
        weights = F.softmax(query @ self.keys.t() / c ** 0.5, dim=1)
        recalled = weights @ self.values
        return recalled.reshape(b, h, w, c).permute(0, 3, 1, 2)


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([nn.Conv2d(3, 16, 3, padding=1), nn.Conv2d(16, 32, 3, stride=2, padding=1)])
        self.recalls = nn.ModuleList([RecallModule(16), RecallModule(32)])

    def forward(self, x):
        features = []
        for stage, recall in zip(self.stages, self.recalls):
            x = F.relu(stage(x))
            features.append(recall(x))
        return features


device = "cuda" if torch.cuda.is_available() else "cpu"
student = Student().to(device)
optimizer = torch.optim.Adam(student.parameters(), lr=1e-3)
for step in range(3):
    target = [torch.randn(2, 16, 16, 16, device=device), torch.randn(2, 32, 8, 8, device=device)]
    features = student(torch.rand(2, 3, 16, 16, device=device))
    loss = sum(1 - F.cosine_similarity(f, t).mean() for f, t in zip(features, target))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
