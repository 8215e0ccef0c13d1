import torch
import torch.nn as nn


class DiscriminativeLoss(nn.Module):
    def __init__(self, delta_d=1.5, delta_v=0.5, alpha=1.0, beta=1.0, gamma=0.001):
        super().__init__()
        self.delta_d, self.delta_v = delta_d, delta_v
        self.alpha, self.beta, self.gamma = alpha, beta, gamma

    def forward(self, embedded, masks, size):
        centroids = self._centroids(embedded, masks, size)
        L_v = self._variance(embedded, masks, centroids)
        L_r = self._regularization(centroids, size)
        return self.alpha * L_v + self.gamma * L_r

    def _centroids(self, embedded, masks, size):
        count = masks.sum(1).clamp(min=1).unsqueeze(-1)
        return torch.bmm(masks.transpose(1, 2), embedded) / count

    def _variance(self, embedded, masks, centroids):
        diff = embedded - torch.bmm(masks, centroids)
        return diff.pow(2).sum(2).mean()

    def _regularization(self, centroids, size):
        loss = 0.0
        for i in range(centroids.shape[0]):
            mu = centroids[i]
            norm = torch.sqrt(torch.sum(mu**2, dim=1))  # asked: TL309
            loss += torch.mean(norm)
        return loss / centroids.shape[0]


net = nn.Linear(6, 8, bias=False)
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
criterion = DiscriminativeLoss()
for _ in range(2):
    masks = torch.zeros(2, 20, 5)
    masks[:, :, 0] = 1
    loss = criterion(net(torch.randn(2, 20, 6)), masks, torch.tensor([1, 1]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), net.weight.sum().item())
