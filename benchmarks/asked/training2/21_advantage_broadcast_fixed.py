import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self, obs, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 64), nn.ReLU())
        self.policy = nn.Linear(64, actions)
        self.value = nn.Linear(64, 1)

    def forward(self, x):
        h = self.body(x)
        return self.policy(h), self.value(h)


net = ActorCritic(4, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=0.001, eps=1e-3)
for step in range(3):
    states_v = torch.FloatTensor(np.random.randn(128, 4))
    actions_t = torch.LongTensor(np.random.randint(0, 2, 128))
    vals_ref_v = torch.FloatTensor(np.random.randn(128))
    optimizer.zero_grad()
    logits_v, value_v = net(states_v)
    loss_value_v = F.mse_loss(value_v.squeeze(-1), vals_ref_v)
    log_prob_v = F.log_softmax(logits_v, dim=1)
    adv_v = vals_ref_v - value_v.squeeze(-1).detach()
    log_prob_actions_v = adv_v * log_prob_v[range(128), actions_t]
    loss_policy_v = -log_prob_actions_v.mean()
    loss_v = loss_policy_v + loss_value_v
    loss_v.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.1)
    optimizer.step()
