import torch
import torch.nn.functional as F
from torch import nn


class DLA:
    def __init__(self, features=10, rank_list=5):
        self.model = nn.Sequential(nn.Linear(features, 32), nn.ELU(), nn.Linear(32, 1))
        self.propensity = nn.Linear(1, rank_list)
        params = list(self.model.parameters()) + list(self.propensity.parameters())
        self.opt = torch.optim.Adagrad(params, lr=0.05)
        self.global_step = 0

    def train(self, feed):
        self.opt.zero_grad()
        scores = self.model(feed["docs"]).squeeze(-1)
        weights = self.propensity(torch.ones(len(scores), 1))
        self.rank_loss = -(F.log_softmax(scores, 1) * feed["clicks"]).sum(1).mean()
        self.exam_loss = -(F.log_softmax(weights, 1) * feed["clicks"]).sum(1).mean()
        self.loss = self.exam_loss + self.rank_loss
        self.loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        self.global_step += 1
        return self.loss, None, {}


def main(steps=30, every=10):
    model = DLA()
    loss, count = 0.0, 0
    while model.global_step < steps:
        feed = {"docs": torch.randn(8, 5, 10), "clicks": torch.rand(8, 5).round()}
        step_loss, _, summary = model.train(feed)
        loss += step_loss  # asked: TL802
        count += 1
        if model.global_step % every == 0:
            print("step", model.global_step, "loss", float(loss) / count)


if __name__ == "__main__":
    main()
