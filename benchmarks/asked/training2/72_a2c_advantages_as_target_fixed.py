import numpy as np
import torch
import torch.nn as nn
from torch import optim


class A2C(nn.Module):
    def __init__(self, n_features, n_actions, n_envs, critic_lr=5e-4, actor_lr=1e-3):
        super().__init__()
        self.n_envs = n_envs
        self.critic = nn.Sequential(nn.Linear(n_features, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))
        self.actor = nn.Sequential(nn.Linear(n_features, 32), nn.ReLU(), nn.Linear(32, n_actions))
        self.critic_optim = optim.RMSprop(self.critic.parameters(), lr=critic_lr)
        self.actor_optim = optim.RMSprop(self.actor.parameters(), lr=actor_lr)

    def forward(self, x):
        x = torch.Tensor(x)
        return self.critic(x), self.actor(x)

    def select_action(self, x):
        state_values, logits = self.forward(x)
        dist = torch.distributions.Categorical(logits=logits)
        actions = dist.sample()
        return actions, dist.log_prob(actions), state_values, dist.entropy()

    def get_losses(self, rewards, action_log_probs, value_preds, entropy, masks, gamma, lam, ent_coef):
        T = len(rewards)
        advantages = torch.zeros(T, self.n_envs)
        gae = 0.0
        for t in reversed(range(T - 1)):
            td_error = rewards[t] + gamma * masks[t] * value_preds[t + 1].detach() - value_preds[t].detach()
            gae = td_error + gamma * lam * masks[t] * gae
            advantages[t] = gae
        critic_loss = (value_preds - (advantages + value_preds).detach()).pow(2).mean()
        actor_loss = -(advantages.detach() * action_log_probs).mean() - ent_coef * entropy.mean()
        return critic_loss, actor_loss

    def update_parameters(self, critic_loss, actor_loss):
        self.critic_optim.zero_grad()
        critic_loss.backward()
        self.critic_optim.step()
        self.actor_optim.zero_grad()
        actor_loss.backward()
        self.actor_optim.step()


n_envs, n_steps = 3, 8
agent = A2C(4, 2, n_envs)
for update in range(3):
    values = torch.zeros(n_steps, n_envs)
    rewards, log_probs, masks = torch.zeros(n_steps, n_envs), torch.zeros(n_steps, n_envs), torch.ones(n_steps, n_envs)
    states = np.random.randn(n_envs, 4)
    for step in range(n_steps):
        actions, lp, state_value, entropy = agent.select_action(states)
        states = np.random.randn(n_envs, 4)
        values[step] = torch.squeeze(state_value)
        rewards[step] = torch.rand(n_envs)
        log_probs[step] = lp
    losses = agent.get_losses(rewards, log_probs, values, entropy, masks, 0.99, 0.95, 0.01)
    agent.update_parameters(*losses)
