import copy

import torch
import torch.nn.functional as F
from torch import nn


class Actor(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, 32), nn.ReLU(), nn.Linear(32, act), nn.Tanh())

    def forward(self, obs):
        return self.net(obs)


class Critic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs + act, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, obs, action):
        return self.net(torch.cat([obs, action], -1))


class DDPGAlgorithm:
    def __init__(self, cfg):
        self.gamma, self.tau = cfg["gamma"], cfg["tau"]
        self.models = {"actor": Actor(3, 1), "critic": Critic(3, 1)}
        self.models["actor_target"] = copy.deepcopy(self.models["actor"])
        self.models["critic_target"] = copy.deepcopy(self.models["critic"])
        self.actor_optimizer = torch.optim.Adam(self.models["actor"].parameters(), lr=cfg["lr"])
        self.critic_optimizer = torch.optim.Adam(self.models["critic"].parameters(), lr=cfg["critic_lr"])

    def prepare_critic_loss(self, obs, actions, rewards, next_obs, masks):
        q_values = self.models["critic"](obs, actions)
        next_q_values = self.models["critic_target"](next_obs, self.models["actor_target"](next_obs))
        q_targets = rewards + self.gamma * next_q_values * masks
        return torch.mean(F.mse_loss(q_values, q_targets))  # asked: TL125

    def ddpg_update(self, sample):
        critic_loss = self.prepare_critic_loss(*sample)
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        actor_loss = -self.models["critic"](sample[0], self.models["actor"](sample[0])).mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()
        for name in ("actor", "critic"):
            for p, t in zip(self.models[name].parameters(), self.models[name + "_target"].parameters()):
                t.data.copy_(self.tau * p.data + (1 - self.tau) * t.data)
        return critic_loss.item(), actor_loss.item()


if __name__ == "__main__":
    algo = DDPGAlgorithm({"gamma": 0.99, "tau": 0.005, "lr": 1e-4, "critic_lr": 1e-3})
    for _ in range(3):
        print(algo.ddpg_update((torch.randn(8, 3), torch.randn(8, 1), torch.randn(8, 1), torch.randn(8, 3), torch.ones(8, 1))))
