import torch
from torch import nn
from torch.nn import functional as F


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.vars = nn.ParameterList([
            nn.Parameter(torch.randn(32, 8) * 0.1), nn.Parameter(torch.zeros(32)),
            nn.Parameter(torch.randn(5, 32) * 0.1), nn.Parameter(torch.zeros(5))])

    def forward(self, x, vars=None):
        vars = self.vars if vars is None else vars
        x = F.relu(F.linear(x, vars[0], vars[1]))
        return F.linear(x, vars[2], vars[3])


class MetaLearner(nn.Module):
    def __init__(self, update_lr=0.1, meta_lr=1e-3, update_step=3):
        super().__init__()
        self.update_lr, self.update_step = update_lr, update_step
        self.net = Learner()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=meta_lr)

    def inner_update(self, x, fast_weights, y):
        logits = self.net(x, fast_weights)
        loss = F.cross_entropy(logits, y)
        if fast_weights is None:
            fast_weights = self.net.vars
        grad = torch.autograd.grad(loss, list(fast_weights), allow_unused=False)  # asked: TL124
        return list(map(lambda p: p[1] - self.update_lr * p[0], zip(grad, fast_weights)))

    def forward(self, x_traj, y_traj, x_rand, y_rand):
        fast_weights = self.inner_update(x_traj[0], None, y_traj[0])
        for k in range(1, len(x_traj)):
            fast_weights = self.inner_update(x_traj[k], fast_weights, y_traj[k])
        meta_loss = F.cross_entropy(self.net(x_rand, fast_weights), y_rand)
        self.optimizer.zero_grad()
        meta_loss.backward()
        self.optimizer.step()
        return meta_loss.item()


if __name__ == "__main__":
    maml = MetaLearner()
    for step in range(3):
        print(maml(torch.randn(3, 4, 8), torch.randint(0, 5, (3, 4)), torch.randn(8, 8), torch.randint(0, 5, (8,))))
