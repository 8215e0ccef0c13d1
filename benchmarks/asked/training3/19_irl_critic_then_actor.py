import numpy as np
import torch
from torch import nn


def get_gae(rewards, masks, values, gamma=0.99, lamda=0.98):
    returns = torch.zeros_like(rewards)
    advants = torch.zeros_like(rewards)
    running_returns = previous_value = running_advants = 0
    for t in reversed(range(len(rewards))):
        running_returns = rewards[t] + gamma * running_returns * masks[t]
        delta = rewards[t] + gamma * previous_value * masks[t] - values.data[t]
        running_advants = delta + gamma * lamda * running_advants * masks[t]
        returns[t] = running_returns
        previous_value = values.data[t]
        advants[t] = running_advants
    return returns, (advants - advants.mean()) / advants.std()


def surrogate_loss(actor, advants, states, old_policy, actions):
    mu = actor(states)
    new_policy = torch.distributions.Normal(mu, 1.0).log_prob(actions).sum(1, keepdim=True)
    ratio = torch.exp(new_policy - old_policy)
    return ratio * advants, ratio


def train_ppo(actor, critic, memory, actor_optim, critic_optim, batch=16):
    states, actions, rewards, masks = memory
    old_values = critic(states)
    returns, advants = get_gae(rewards, masks, old_values)
    mu = actor(states)
    old_policy = torch.distributions.Normal(mu, 1.0).log_prob(actions).sum(1, keepdim=True)
    criterion = nn.MSELoss()
    n = len(states)
    arr = np.arange(n)
    for _ in range(2):
        np.random.shuffle(arr)
        for i in range(n // batch):
            index = torch.LongTensor(arr[batch * i : batch * (i + 1)])
            inputs, actions_samples = states[index], actions[index]
            returns_samples = returns.unsqueeze(1)[index]
            advants_samples = advants.unsqueeze(1)[index]
            values = critic(inputs)
            critic_loss = criterion(values, returns_samples)
            loss, ratio = surrogate_loss(
                actor, advants_samples, inputs, old_policy.detach()[index], actions_samples
            )
            clipped = torch.clamp(ratio, 0.8, 1.2) * advants_samples
            actor_loss = -torch.min(loss, clipped).mean()
            loss = actor_loss + 0.5 * critic_loss
            critic_optim.zero_grad()
            loss.backward(retain_graph=True)
            critic_optim.step()
            actor_optim.zero_grad()
            loss.backward()  # asked: TL101
            actor_optim.step()


actor = nn.Sequential(nn.Linear(5, 32), nn.Tanh(), nn.Linear(32, 2))
critic = nn.Sequential(nn.Linear(5, 32), nn.Tanh(), nn.Linear(32, 1))
memory = (torch.randn(64, 5), torch.randn(64, 2), torch.randn(64), torch.ones(64))
train_ppo(actor, critic, memory, torch.optim.Adam(actor.parameters(), 3e-4),
          torch.optim.Adam(critic.parameters(), 3e-4))
