import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self, obs=12, act=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 64), nn.Tanh())
        self.action_head = nn.Linear(64, act)
        self.value_head = nn.Linear(64, 1)

    def forward(self, obs):
        h = self.body(obs)
        values = self.value_head(h)
        return self.action_head(h), values


def compute_critic_loss(values, returns, prev_values, clip=0.2):
    clipped = prev_values + (values - prev_values).clamp(-clip, clip)
    loss = (returns - values).pow(2)
    loss_clipped = (returns - clipped).pow(2)
    return torch.max(loss, loss_clipped).mean()


def update(model, optimizer, batch):
    obs, actions, old_logp, advantages, returns, prev_values = batch
    logits, values = model(obs)
    dist = torch.distributions.Categorical(logits=logits)
    ratio = torch.exp(dist.log_prob(actions) - old_logp)
    surr = torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages)
    loss = -surr.mean() + 0.5 * compute_critic_loss(values, returns, prev_values)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
for it in range(5):
    n = 32
    batch = (torch.randn(n, 12), torch.randint(0, 4, (n,)), torch.randn(n), torch.randn(n),
             torch.randn(n, 1), torch.randn(n, 1))
    print(it, update(model, optimizer, batch))
