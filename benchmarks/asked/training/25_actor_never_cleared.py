import collections
import random

import torch
import torch.nn.functional as F


class PolicyNet(torch.nn.Module):
    def __init__(self, state_dim, hidden_dim, action_dim):
        super(PolicyNet, self).__init__()
        self.fc1 = torch.nn.Linear(state_dim, hidden_dim)
        self.fc2 = torch.nn.Linear(hidden_dim, action_dim)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        return F.softmax(self.fc2(x), dim=1)


class ValueNet(torch.nn.Module):
    def __init__(self, state_dim, hidden_dim):
        super(ValueNet, self).__init__()
        self.fc1 = torch.nn.Linear(state_dim, hidden_dim)
        self.fc2 = torch.nn.Linear(hidden_dim, 1)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))


class Cart:
    def reset(self):
        self.t = 0
        return [random.random() for _ in range(4)]

    def step(self, action):
        self.t += 1
        return [random.random() for _ in range(4)], 1.0, self.t > 12


class ActorCritic:
    def __init__(self, state_dim, hidden_dim, action_dim, actor_lr, critic_lr, gamma):
        self.actor = PolicyNet(state_dim, hidden_dim, action_dim)
        self.critic = ValueNet(state_dim, hidden_dim)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=actor_lr)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=critic_lr)
        self.gamma = gamma

    def take_action(self, state):
        state = torch.tensor([state], dtype=torch.float)
        probs = self.actor(state)
        return torch.distributions.Categorical(probs).sample().item()

    def update(self, transition_dict):
        states = torch.tensor(transition_dict["states"], dtype=torch.float)
        actions = torch.tensor(transition_dict["actions"]).view(-1, 1)
        rewards = torch.tensor(transition_dict["rewards"], dtype=torch.float).view(-1, 1)
        next_states = torch.tensor(transition_dict["next_states"], dtype=torch.float)
        dones = torch.tensor(transition_dict["dones"], dtype=torch.float).view(-1, 1)

        td_target = rewards + self.gamma * self.critic(next_states) * (1 - dones)
        critic_loss = torch.mean(F.mse_loss(self.critic(states), td_target.detach()))
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        td_delta = td_target - self.critic(states)
        log_probs = torch.log(self.actor(states).gather(1, actions) + 1e-8)
        actor_loss = torch.mean(-log_probs * td_delta.detach())
        actor_loss.backward()
        self.actor_optimizer.step()  # asked: TL201


if __name__ == "__main__":
    env = Cart()
    agent = ActorCritic(4, 16, 2, 1e-3, 1e-2, 0.98)
    for i_episode in range(3):
        transitions = collections.defaultdict(list)
        state, done = env.reset(), False
        while not done:
            action = agent.take_action(state)
            next_state, reward, done = env.step(action)
            for key, value in zip(("states", "actions", "next_states", "rewards", "dones"), (state, action, next_state, reward, done)):
                transitions[key].append(value)
            state = next_state
        agent.update(transitions)
