import torch
from torch import nn


def net(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 32), nn.LeakyReLU(), nn.Linear(32, n_out))


class ACAgent:
    def __init__(self, hp):
        self._hp = hp
        self.policy = net(hp["obs"], hp["act"])
        self.critics = nn.ModuleList([net(hp["obs"] + hp["act"], 1) for _ in range(2)])
        self.policy_opt = torch.optim.Adam(self.policy.parameters(), lr=hp["lr"])
        self.critic_opts = [torch.optim.Adam(c.parameters(), lr=hp["lr"]) for c in self.critics]

    def _perform_update(self, loss, opt, network):
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), self._hp["clip"])
        opt.step()

    def _critic_losses(self, batch):
        target = batch["reward"].unsqueeze(1)
        joined = torch.cat([batch["obs"], batch["action"]], dim=-1)
        return [(0.5 * (critic(joined) - target) ** 2).mean() for critic in self.critics]

    def _policy_loss(self, batch):
        action = torch.tanh(self.policy(batch["obs"]))
        joined = torch.cat([batch["obs"], action], dim=-1)
        q = torch.min(*[critic(joined) for critic in self.critics])
        return -q.mean()

    def update(self, batch):
        critic_losses = self._critic_losses(batch)
        for loss, opt, critic in zip(critic_losses, self.critic_opts, self.critics):
            self._perform_update(loss, opt, critic)
        policy_loss = self._policy_loss(batch)
        self._perform_update(policy_loss, self.policy_opt, self.policy)
        return {"policy_loss": policy_loss.item(), "critic_loss": sum(l.item() for l in critic_losses)}


if __name__ == "__main__":
    agent = ACAgent({"obs": 4, "act": 2, "lr": 3e-4, "clip": 1.0})
    for _ in range(3):
        print(agent.update({"obs": torch.randn(16, 4), "action": torch.randn(16, 2), "reward": torch.randn(16)}))
