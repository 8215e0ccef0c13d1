import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.optim as optim


class MLP(nn.Module):
    def __init__(self, n_states, n_actions):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_states, 32), nn.ReLU(), nn.Linear(32, n_actions))

    def forward(self, x):
        return self.layers(x)


class DoubleDQN:
    def __init__(self, model, memory, cfg):
        self.gamma = cfg["gamma"]
        self.batch_size = cfg["batch_size"]
        self.policy_net = model
        self.target_net = copy.deepcopy(model)
        self.optimizer = optim.Adam(self.policy_net.parameters(), lr=cfg["lr"])
        self.memory = memory
        self.sample_count = 0

    def update(self):
        if len(self.memory) < self.batch_size:
            return
        state, action, reward, next_state, done = zip(*random.sample(self.memory, self.batch_size))
        state_batch = torch.tensor(state, dtype=torch.float)
        action_batch = torch.tensor(action).unsqueeze(1)
        reward_batch = torch.tensor(reward, dtype=torch.float).unsqueeze(1)
        next_state_batch = torch.tensor(next_state, dtype=torch.float)
        done_batch = torch.tensor(done, dtype=torch.float).unsqueeze(1)
        q_value_batch = self.policy_net(state_batch).gather(dim=1, index=action_batch)
        next_q_value_batch = self.policy_net(next_state_batch)
        next_target_value_batch = self.target_net(next_state_batch)
        next_target_q_value_batch = next_target_value_batch.gather(1, torch.max(next_q_value_batch, 1)[1].unsqueeze(1))
        expected = reward_batch + self.gamma * next_target_q_value_batch * (1 - done_batch)
        loss = nn.MSELoss()(q_value_batch, expected.detach())
        self.optimizer.zero_grad()
        loss.backward()
        for param in self.policy_net.parameters():
            param.grad.data.clamp_(-1, 1)
        self.optimizer.step()


if __name__ == "__main__":
    memory = deque(maxlen=100)
    agent = DoubleDQN(MLP(3, 2), memory, {"gamma": 0.9, "batch_size": 8, "lr": 1e-3})
    for t in range(20):
        memory.append(([random.random()] * 3, t % 2, 1.0, [random.random()] * 3, t % 5 == 0))
        agent.update()
