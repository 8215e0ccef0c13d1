import torch
import torch.nn as nn


def _threshold(x, threshold=None):
    if threshold is not None:
        return torch.sigmoid(50 * (x - threshold))
    return x


def f_score(pr, gt, beta=1, eps=1e-7, threshold=None):
    pr = _threshold(pr, threshold=threshold)
    tp = torch.sum(gt * pr)
    fp = torch.sum(pr) - tp
    fn = torch.sum(gt) - tp
    return ((1 + beta ** 2) * tp + eps) / ((1 + beta ** 2) * tp + beta ** 2 * fn + fp + eps)


class DiceLoss(nn.Module):
    def __init__(self, eps=1.0, beta=1.0, activation=None, threshold=None):
        super().__init__()
        self.eps, self.beta, self.threshold = eps, beta, threshold
        self.activation = nn.Sigmoid() if activation == "sigmoid" else nn.Identity()

    def forward(self, y_pr, y_gt):
        y_pr = self.activation(y_pr)
        return 1 - f_score(y_pr, y_gt, beta=self.beta, eps=self.eps, threshold=self.threshold)


class TrainEpoch:
    def __init__(self, model, loss, optimizer):
        self.model, self.loss, self.optimizer = model, loss, optimizer

    def batch_update(self, x, y):
        self.optimizer.zero_grad()
        prediction = self.model.forward(x)
        loss = self.loss(prediction, y)
        loss.backward()
        self.optimizer.step()
        return loss, prediction

    def run(self, dataloader):
        self.model.train()
        for x, y in dataloader:
            loss, _ = self.batch_update(x, y)
            print(loss.cpu().detach().numpy())


if __name__ == "__main__":
    model = nn.Conv2d(3, 1, 3, padding=1)
    epoch = TrainEpoch(model, DiceLoss(activation="sigmoid", threshold=0.5), torch.optim.Adam(model.parameters(), lr=1e-4))
    epoch.run([(torch.randn(2, 3, 8, 8), torch.rand(2, 1, 8, 8).round()) for _ in range(2)])
