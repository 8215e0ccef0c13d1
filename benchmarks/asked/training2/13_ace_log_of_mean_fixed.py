import torch
from torch import nn


class ACE(nn.Module):
    def __init__(self):
        super().__init__()
        self.softmax = nn.Softmax(dim=2)

    def forward(self, scores, counts):
        n, t, k = scores.size()
        probs = self.softmax(scores)
        summed = torch.sum(probs, 1)
        summed = summed / t
        label = counts / t
        loss = -torch.sum(torch.log(summed + 1e-10) * label) / n
        return loss


class Recognizer(nn.Module):
    def __init__(self, classes=27):
        super().__init__()
        self.cnn = nn.Conv1d(8, 32, 3, padding=1)
        self.out = nn.Linear(32, classes)
        self.loss_layer = ACE()

    def forward(self, x, counts):
        feats = torch.relu(self.cnn(x)).permute(0, 2, 1)
        return self.loss_layer(self.out(feats), counts)


if __name__ == "__main__":
    net = Recognizer()
    optimizer = torch.optim.Adadelta(net.parameters())
    for _ in range(3):
        loss = net(torch.randn(4, 8, 20), torch.ones(4, 27))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
