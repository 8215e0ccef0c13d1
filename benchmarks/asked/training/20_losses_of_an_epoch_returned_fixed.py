import torch
from torch import nn, optim


class Agent(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(obs, 32), nn.SiLU(), nn.Linear(32, act * 2))
        self.value = nn.Sequential(nn.Linear(obs, 32), nn.SiLU(), nn.Linear(32, 1))

    def loss(self, td):
        loc, scale = self.policy(td["observation"]).chunk(2, dim=-1)
        scale = nn.functional.softplus(scale) + 0.001
        log_prob = torch.distributions.Normal(loc, scale).log_prob(td["action"]).sum(-1)
        baseline = self.value(td["observation"]).squeeze(-1)
        advantage = (td["reward"] - baseline).detach()
        policy_loss = -(log_prob * advantage).mean()
        v_loss = ((td["reward"] - baseline) ** 2).mean() * 0.25
        return policy_loss + v_loss


def rollout(obs, act, n):
    return {"observation": torch.randn(n, obs), "action": torch.randn(n, act), "reward": torch.randn(n)}


def train(num_epochs=3, num_minibatches=4, num_update_epochs=2):
    agent = Agent(6, 2)
    optimizer = optim.Adam(agent.parameters(), lr=3e-4)
    for _ in range(num_epochs):
        td = rollout(6, 2, 64)
        total_loss = 0
        for update_epoch in range(num_update_epochs):
            permutation = torch.randperm(64)
            td = {k: v[permutation] for k, v in td.items()}
            for i in range(num_minibatches):
                minibatch = {k: v[i * 16:(i + 1) * 16] for k, v in td.items()}
                loss = agent.loss(minibatch)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                total_loss += loss.detach()
        total_loss = total_loss / (num_update_epochs * num_minibatches)
        print({"losses/total_loss": total_loss})


if __name__ == "__main__":
    train()
