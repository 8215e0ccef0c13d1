import torch as T
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class CriticNetwork(nn.Module):
    def __init__(self, lr, obs, act):
        super(CriticNetwork, self).__init__()
        self.fc1 = nn.Linear(obs + act, 32)
        self.q = nn.Linear(32, 1)
        self.optimizer = optim.Adam(self.parameters(), lr=lr)

    def forward(self, state, action):
        return self.q(F.relu(self.fc1(T.cat([state, action], dim=1))))


class ActorNetwork(nn.Module):
    def __init__(self, lr, obs, act):
        super(ActorNetwork, self).__init__()
        self.fc1 = nn.Linear(obs, 32)
        self.mu = nn.Linear(32, act)
        self.sigma = nn.Linear(32, act)
        self.optimizer = optim.Adam(self.parameters(), lr=lr)

    def sample_normal(self, state):
        h = F.relu(self.fc1(state))
        dist = T.distributions.Normal(self.mu(h), T.clamp(self.sigma(h), 1e-6, 1))
        actions = dist.rsample()
        return T.tanh(actions), dist.log_prob(actions).sum(1, keepdim=True)


class Agent:
    def __init__(self, obs=6, act=2):
        self.actor = ActorNetwork(3e-4, obs, act)
        self.critic_1 = CriticNetwork(3e-4, obs, act)
        self.critic_2 = CriticNetwork(3e-4, obs, act)
        self.scale = 2

    def learn(self, state, action, reward, state_, done):
        actions, log_probs = self.actor.sample_normal(state)
        log_probs = log_probs.view(-1)
        q1_new = self.critic_1.forward(state, actions)
        q2_new = self.critic_2.forward(state, actions)
        critic_value = T.min(q1_new, q2_new).view(-1)
        actor_loss = T.mean(log_probs - critic_value)
        self.actor.optimizer.zero_grad()
        actor_loss.backward()
        self.actor.optimizer.step()

        with T.no_grad():
            next_actions, _ = self.actor.sample_normal(state_)
            q_next = self.critic_1(state_, next_actions).view(-1)
            q_hat = self.scale * reward + 0.99 * q_next * (1 - done)
        self.critic_1.optimizer.zero_grad()
        self.critic_2.optimizer.zero_grad()
        q1_old = self.critic_1.forward(state, action).view(-1)
        q2_old = self.critic_2.forward(state, action).view(-1)
        critic_loss = 0.5 * F.mse_loss(q1_old, q_hat) + 0.5 * F.mse_loss(q2_old, q_hat)
        critic_loss.backward()
        self.critic_1.optimizer.step()
        self.critic_2.optimizer.step()



agent = Agent()
for _ in range(3):
    agent.learn(T.randn(16, 6), T.randn(16, 2), T.randn(16), T.randn(16, 6), T.zeros(16))
