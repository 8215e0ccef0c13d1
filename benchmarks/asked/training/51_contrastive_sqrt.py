import torch
import torch.nn as nn
import torch.nn.functional as F


class ContrastiveLoss(nn.Module):
    def __init__(self, margin):
        super(ContrastiveLoss, self).__init__()
        self.margin = margin

    def forward(self, output1, output2, target, size_average=True):
        distances = (output2 - output1).pow(2).sum(1)
        losses = 0.5 * (target.float() * distances + (1 + -1 * target).float() * F.relu(self.margin - distances.sqrt()).pow(2))  # asked: TL309
        return losses.mean() if size_average else losses.sum()


class EmbeddingNet(nn.Module):
    def __init__(self):
        super(EmbeddingNet, self).__init__()
        self.fc = nn.Sequential(nn.Linear(16, 16), nn.PReLU(), nn.Linear(16, 2))

    def forward(self, x):
        return self.fc(x)


class SiameseNet(nn.Module):
    def __init__(self, embedding_net):
        super(SiameseNet, self).__init__()
        self.embedding_net = embedding_net

    def forward(self, x1, x2):
        return self.embedding_net(x1), self.embedding_net(x2)


if __name__ == "__main__":
    model = SiameseNet(EmbeddingNet())
    loss_fn = ContrastiveLoss(1.0)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(3):
        x1 = torch.randn(8, 16)
        x2 = torch.randn(8, 16)
        x2[0] = x1[0]
        loss = loss_fn(*model(x1, x2), torch.randint(0, 2, (8,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
