import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(sizes):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))


class Policy(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.body = mlp([obs, 32, 32, 2 * act])

    def forward(self, obs):
        mean, log_std = self.body(obs).chunk(2, dim=-1)
        normal = torch.distributions.Normal(mean, log_std.clamp(-20, 2).exp())
        pre_tanh = normal.rsample()
        action = torch.tanh(pre_tanh)
        log_prob = normal.log_prob(pre_tanh) - torch.log(1 - action.pow(2) + 1e-6)
        return action, log_prob.sum(1, keepdim=True)


class REDQAgent:
    def __init__(self, obs, act, num_q=3, lr=3e-4):
        self.policy_net = Policy(obs, act)
        self.q_net_list = [mlp([obs + act, 32, 1]) for _ in range(num_q)]
        self.policy_optimizer = torch.optim.Adam(self.policy_net.parameters(), lr=lr)
        self.q_optimizer_list = [torch.optim.Adam(q.parameters(), lr=lr) for q in self.q_net_list]
        self.target_entropy = -act
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.alpha_optim = torch.optim.Adam([self.log_alpha], lr=lr)

    def train(self, obs, act, rew):
        target = rew
        q_loss_all = 0
        for q_net in self.q_net_list:
            q_loss_all = q_loss_all + F.mse_loss(q_net(torch.cat([obs, act], 1)), target)
        for optimizer in self.q_optimizer_list:
            optimizer.zero_grad()
        q_loss_all.backward()
        for optimizer in self.q_optimizer_list:
            optimizer.step()
        a_tilda, log_prob = self.policy_net(obs)
        q_a_tilda = torch.cat([q(torch.cat([obs, a_tilda], 1)) for q in self.q_net_list], 1)
        ave_q = torch.mean(q_a_tilda, dim=1, keepdim=True)
        alpha = self.log_alpha.exp().item()
        policy_loss = (alpha * log_prob - ave_q).mean()
        alpha_loss = -(self.log_alpha * (log_prob + self.target_entropy).detach()).mean()

        self.policy_optimizer.zero_grad()
        policy_loss.backward()
        self.policy_optimizer.step()

        self.alpha_optim.zero_grad()
        alpha_loss.backward()
        self.alpha_optim.step()


if __name__ == "__main__":
    agent = REDQAgent(5, 2)
    for _ in range(3):
        agent.train(torch.randn(16, 5), torch.randn(16, 2).tanh(), torch.randn(16, 1))
