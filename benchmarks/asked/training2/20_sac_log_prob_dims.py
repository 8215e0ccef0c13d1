import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal


class PolicyNet(nn.Module):
    def __init__(self, state_dim, hidden_dim, action_dim):
        super().__init__()
        self.fc1 = nn.Linear(state_dim, hidden_dim)
        self.fc_mu = nn.Linear(hidden_dim, action_dim)
        self.fc_std = nn.Linear(hidden_dim, action_dim)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        dist = Normal(self.fc_mu(x), F.softplus(self.fc_std(x)))
        sample = dist.rsample()
        log_prob = dist.log_prob(sample)
        action = torch.tanh(sample)
        log_prob = log_prob - torch.log(1 - action.pow(2) + 1e-7)
        return action, log_prob


class QNet(nn.Module):
    def __init__(self, state_dim, hidden_dim, action_dim):
        super().__init__()
        self.fc1 = nn.Linear(state_dim + action_dim, hidden_dim)
        self.fc_out = nn.Linear(hidden_dim, 1)

    def forward(self, x, a):
        return self.fc_out(F.relu(self.fc1(torch.cat([x, a], dim=1))))


class SAC:
    def __init__(self, state_dim=24, hidden_dim=64, action_dim=4, gamma=0.99):
        self.actor = PolicyNet(state_dim, hidden_dim, action_dim)
        self.critic = QNet(state_dim, hidden_dim, action_dim)
        self.target_critic = QNet(state_dim, hidden_dim, action_dim)
        self.target_critic.load_state_dict(self.critic.state_dict())
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.log_alpha = torch.tensor(0.01).log()
        self.gamma = gamma

    def calc_target(self, rewards, next_states, dones):
        next_actions, log_prob = self.actor(next_states)
        value = self.target_critic(next_states, next_actions) - self.log_alpha.exp() * log_prob
        return rewards + self.gamma * value * (1 - dones)

    def update(self, d):
        states = torch.tensor(d["states"], dtype=torch.float)
        actions = torch.tensor(d["actions"], dtype=torch.float)
        rewards = torch.tensor(d["rewards"], dtype=torch.float).view(-1, 1)
        next_states = torch.tensor(d["next_states"], dtype=torch.float)
        dones = torch.tensor(d["dones"], dtype=torch.float).view(-1, 1)
        td_target = self.calc_target(rewards, next_states, dones)
        critic_loss = torch.mean(F.mse_loss(self.critic(states, actions), td_target.detach()))  # asked: TL311
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()


if __name__ == "__main__":
    import numpy as np
    SAC().update({"states": np.random.randn(64, 24), "actions": np.random.randn(64, 4), "rewards": np.random.randn(64), "next_states": np.random.randn(64, 24), "dones": np.zeros(64)})
