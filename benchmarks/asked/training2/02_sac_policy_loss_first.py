import torch
import torch.nn.functional as F
from torch import nn, optim


def mlp(inp, out):
    return nn.Sequential(nn.Linear(inp, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, out))


class Critic(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.body = mlp(obs_dim + act_dim, 1)

    def forward(self, obs, act):
        return self.body(torch.cat([obs, act], dim=1))


class Policy(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.mean = mlp(obs_dim, act_dim)
        self.log_std = nn.Linear(obs_dim, act_dim)

    def forward(self, obs):
        dist = torch.distributions.Normal(self.mean(obs), self.log_std(obs).clamp(-5, 2).exp())
        raw = dist.rsample()
        return torch.tanh(raw), dist.log_prob(raw).sum(1, keepdim=True)


class SoftTrainer:
    def __init__(self, policy, qf1, qf2, target_qf1, target_qf2, discount=0.99, alpha=0.2, lr=3e-4):
        self.policy, self.qf1, self.qf2 = policy, qf1, qf2
        self.target_qf1, self.target_qf2 = target_qf1, target_qf2
        self.discount, self.alpha = discount, alpha
        self.policy_optimizer = optim.Adam(self.policy.parameters(), lr=lr)
        self.qf1_optimizer = optim.Adam(self.qf1.parameters(), lr=lr)
        self.qf2_optimizer = optim.Adam(self.qf2.parameters(), lr=lr)

    def train_from_torch(self, batch):
        obs, actions, rewards, next_obs, terminals = batch
        new_actions, log_pi = self.policy(obs)
        q_new = torch.min(self.qf1(obs, new_actions), self.qf2(obs, new_actions))
        policy_loss = (self.alpha * log_pi - q_new).mean()

        with torch.no_grad():
            next_actions, next_log_pi = self.policy(next_obs)
            target = torch.min(self.target_qf1(next_obs, next_actions), self.target_qf2(next_obs, next_actions))
            q_target = rewards + (1.0 - terminals) * self.discount * (target - self.alpha * next_log_pi)
        qf1_loss = F.mse_loss(self.qf1(obs, actions), q_target)
        qf2_loss = F.mse_loss(self.qf2(obs, actions), q_target)

        self.qf1_optimizer.zero_grad()
        qf1_loss.backward()
        self.qf1_optimizer.step()
        self.qf2_optimizer.zero_grad()
        qf2_loss.backward()
        self.qf2_optimizer.step()

        self.policy_optimizer.zero_grad()
        policy_loss.backward()  # asked: TL101
        self.policy_optimizer.step()


def main():
    nets = [Critic(5, 2) for _ in range(4)]
    trainer = SoftTrainer(Policy(5, 2), *nets)
    for _ in range(3):
        trainer.train_from_torch((torch.randn(8, 5), torch.randn(8, 2), torch.randn(8, 1), torch.randn(8, 5), torch.zeros(8, 1)))


if __name__ == "__main__":
    main()
