import torch
import torch.nn as nn
from torch.distributions import Categorical


class PolicyNet(nn.Module):
    def __init__(self, obs, hidden, actions):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(obs, hidden), nn.ReLU(), nn.Linear(hidden, actions), nn.Softmax(dim=0))

    def forward(self, x):
        return self.fc(x)  # asked: TL310


policy = PolicyNet(4, 16, 2)
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(3):
    states = torch.randn(12, 4)
    dist = Categorical(policy(states))
    actions = dist.sample()
    returns = torch.randn(12)
    loss = -(dist.log_prob(actions) * returns).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
