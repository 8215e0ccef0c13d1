import torch
import torch.nn as nn
import torch.nn.functional as F


class Actor(nn.Module):
    def __init__(self, obs, act):
        super(Actor, self).__init__()
        self.fc1 = nn.Linear(obs, 64)
        self.fc2 = nn.Linear(64, 64)
        self.action_out = nn.Linear(64, act)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return torch.tanh(self.action_out(x))


class Critic(nn.Module):
    def __init__(self, obs, act, n):
        super(Critic, self).__init__()
        self.fc1 = nn.Linear((obs + act) * n, 64)
        self.fc2 = nn.Linear(64, 64)
        self.q_out = nn.Linear(64, 1)

    def forward(self, state, action):
        x = torch.cat([torch.cat(state, dim=1), torch.cat(action, dim=1)], dim=1)
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.q_out(x)


class MADDPG:
    def __init__(self, obs, act, n, agent_id):
        self.agent_id = agent_id
        self.n = n
        self.actor_network = Actor(obs, act)
        self.critic_network = Critic(obs, act, n)
        self.actor_target_network = Actor(obs, act)
        self.critic_target_network = Critic(obs, act, n)
        self.actor_target_network.load_state_dict(self.actor_network.state_dict())
        self.critic_target_network.load_state_dict(self.critic_network.state_dict())
        self.actor_optim = torch.optim.Adam(self.actor_network.parameters(), lr=1e-4)
        self.critic_optim = torch.optim.Adam(self.critic_network.parameters(), lr=1e-3)

    def train(self, transitions, other_agents):
        r = transitions["r_%d" % self.agent_id]
        o, u, o_next = [], [], []
        for agent_id in range(self.n):
            o.append(transitions["o_%d" % agent_id])
            u.append(transitions["u_%d" % agent_id])
            o_next.append(transitions["o_next_%d" % agent_id])

        u_next = []
        with torch.no_grad():
            for agent_id in range(self.n):
                u_next.append(self.actor_target_network(o_next[agent_id]))
            q_next = self.critic_target_network(o_next, u_next).detach()
            target_q = (r.unsqueeze(1) + 0.95 * q_next).detach()

        q_value = self.critic_network(o, u)
        critic_loss = (target_q - q_value).pow(2).mean()

        self.critic_optim.zero_grad()
        critic_loss.backward()
        self.critic_optim.step()

        u[self.agent_id] = self.actor_network(o[self.agent_id])
        actor_loss = -self.critic_network(o, u).mean()
        self.actor_optim.zero_grad()
        actor_loss.backward()
        self.actor_optim.step()


if __name__ == "__main__":
    agent = MADDPG(4, 2, 2, 0)
    for step in range(2):
        batch = {"r_0": torch.randn(8), "r_1": torch.randn(8)}
        for i in range(2):
            batch["o_%d" % i] = torch.randn(8, 4)
            batch["u_%d" % i] = torch.randn(8, 2)
            batch["o_next_%d" % i] = torch.randn(8, 4)
        agent.train(batch, [])
