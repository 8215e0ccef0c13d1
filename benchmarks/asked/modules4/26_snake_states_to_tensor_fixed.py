import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Linear_QNet(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.linear1 = nn.Linear(input_size, hidden_size)
        self.linear2 = nn.Linear(hidden_size, output_size)

    def forward(self, x):
        return self.linear2(F.relu(self.linear1(x)))


class QTrainer:
    def __init__(self, model, lr, gamma):
        self.gamma, self.model = gamma, model
        self.optimizer = optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.MSELoss()

    def train_step(self, state, action, reward, next_state, done):
        state = torch.tensor(np.array(state), dtype=torch.float)
        next_state = torch.tensor(np.array(next_state), dtype=torch.float)
        action = torch.tensor(action, dtype=torch.long)
        reward = torch.tensor(reward, dtype=torch.float)
        pred = self.model(state)
        with torch.no_grad():
            target = reward + self.gamma * self.model(next_state).max(1).values
        loss = self.criterion(pred.gather(1, action[:, None]).squeeze(1), target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Agent:
    def __init__(self):
        self.memory = deque(maxlen=1000)
        self.trainer = QTrainer(Linear_QNet(11, 64, 3), lr=0.001, gamma=0.9)

    def get_state(self):
        return np.array([random.randint(0, 1) for _ in range(11)], dtype=int)

    def remember(self, *transition):
        self.memory.append(transition)

    def train_long_memory(self, size=100):
        mini_sample = random.sample(self.memory, min(size, len(self.memory)))
        states, actions, rewards, next_states, dones = zip(*mini_sample)
        self.trainer.train_step(states, actions, rewards, next_states, dones)


if __name__ == "__main__":
    agent = Agent()
    for _ in range(200):
        agent.remember(agent.get_state(), random.randint(0, 2), random.random(), agent.get_state(), False)
    agent.train_long_memory()
