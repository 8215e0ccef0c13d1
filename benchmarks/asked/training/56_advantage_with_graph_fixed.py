import torch
import torch.nn as nn


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 5))

    def forward(self, x):
        dist = torch.distributions.Categorical(logits=self.net(x))
        tour = dist.sample()
        return tour, dist.log_prob(tour)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def reward_fn(x, tour):
    return -(x[:, 0] - tour.float()).abs()


def train(steps=5):
    act_model, cri_model = Actor(), Critic()
    act_optim = torch.optim.Adam(act_model.parameters(), lr=1e-3)
    cri_optim = torch.optim.Adam(cri_model.parameters(), lr=1e-3)
    for step in range(steps):
        inputs = torch.randn(16, 8)
        tour, log_ps = act_model(inputs)
        reward = reward_fn(inputs, tour)
        pred_reward = cri_model(inputs)
        act_loss = ((reward - pred_reward.detach()) * -log_ps).mean()
        cri_loss = nn.functional.mse_loss(pred_reward, reward)
        act_optim.zero_grad()
        cri_optim.zero_grad()
        loss = act_loss + cri_loss
        loss.backward()
        act_optim.step()
        cri_optim.step()
        print(step, act_loss.item(), cri_loss.item())


if __name__ == "__main__":
    train()
