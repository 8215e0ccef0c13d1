import copy

import torch
import torch.nn.functional as F
from torch import nn


class Actor(nn.Module):
    def __init__(self, n_state, n_action):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_state, 32), nn.ReLU(), nn.Linear(32, n_action), nn.Tanh())

    def forward(self, state):
        return self.net(state)


class Critic(nn.Module):
    def __init__(self, n_state, n_action):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_state + n_action, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, state, action):
        return self.net(torch.cat((state, action), dim=1))


class DDPG:
    def __init__(self, n_state=6, n_action=2, gamma=0.95, tau=0.01):
        self.gamma, self.tau = gamma, tau
        self.actor, self.critic = Actor(n_state, n_action), Critic(n_state, n_action)
        self.actor_target, self.critic_target = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=1e-4)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def synchronize_target(self):
        for net, target in ((self.actor, self.actor_target), (self.critic, self.critic_target)):
            for source, kept in zip(net.parameters(), target.parameters()):
                kept.data.copy_(self.tau * source.data + (1 - self.tau) * kept.data)

    def learn_one_step(self, state, action, reward, next_state, done):
        critic_value = self.critic(state, action)
        next_action = self.actor_target(next_state)
        critic_target = reward + self.gamma * (1 - done) * self.critic_target(next_state, next_action)
        critic_loss = F.smooth_l1_loss(critic_value, critic_target.detach())
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()

        actor_loss = -self.critic(state, self.actor(state)).mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()
        self.synchronize_target()
        return critic_loss.item()


if __name__ == "__main__":
    agent = DDPG()
    for _ in range(5):
        done = (torch.rand(16, 1) < 0.1).float()
        print(agent.learn_one_step(torch.randn(16, 6), torch.rand(16, 2), torch.rand(16, 1), torch.randn(16, 6), done))
