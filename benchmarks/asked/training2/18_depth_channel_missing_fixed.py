import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Scenes(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return torch.rand(3, 32, 32), torch.rand(1, 32, 32).round(), torch.rand(32, 32)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU())
        self.sal = nn.Conv2d(16, 1, 1)
        self.depth = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        h = self.body(x)
        return self.sal(h), self.depth(h)


class Trainer:
    def __init__(self, model, optimizer, loader):
        self.model, self.optimizer, self.loader = model, optimizer, loader

    def train_epoch(self):
        for img, lbl, depth in self.loader:
            self.optimizer.zero_grad()
            sal, pred_depth = self.model(img)
            loss1 = F.binary_cross_entropy_with_logits(sal, lbl, reduction="sum")
            loss2 = F.smooth_l1_loss(pred_depth, depth.unsqueeze(1), reduction="sum")
            loss = loss1 + loss2
            loss.backward()
            self.optimizer.step()


if __name__ == "__main__":
    net = Net()
    Trainer(net, torch.optim.SGD(net.parameters(), lr=1e-6, momentum=0.99), DataLoader(Scenes(), batch_size=2)).train_epoch()
