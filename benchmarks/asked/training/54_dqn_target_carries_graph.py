import numpy as np
import torch as T
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class DeepQNetwork(nn.Module):
    def __init__(self, lr, n_actions, input_dims):
        super(DeepQNetwork, self).__init__()
        self.fc1 = nn.Linear(input_dims, 32)
        self.fc2 = nn.Linear(32, n_actions)
        self.optimizer = optim.RMSprop(self.parameters(), lr=lr)
        self.loss = nn.MSELoss()
        self.device = T.device("cuda:0" if T.cuda.is_available() else "cpu")
        self.to(self.device)

    def forward(self, state):
        return self.fc2(F.relu(self.fc1(state)))


class ReplayBuffer:
    def __init__(self, size, shape):
        self.size, self.cntr = size, 0
        self.states = np.zeros((size, shape), dtype=np.float32)
        self.new_states = np.zeros((size, shape), dtype=np.float32)
        self.actions = np.zeros(size, dtype=np.int64)
        self.rewards = np.zeros(size, dtype=np.float32)
        self.dones = np.zeros(size, dtype=bool)

    def store(self, state, action, reward, state_, done):
        i = self.cntr % self.size
        self.states[i], self.actions[i], self.rewards[i], self.new_states[i], self.dones[i] = state, action, reward, state_, done
        self.cntr += 1

    def sample(self, n):
        batch = np.random.choice(min(self.cntr, self.size), n, replace=False)
        return self.states[batch], self.actions[batch], self.rewards[batch], self.new_states[batch], self.dones[batch]


class DQNAgent(object):
    def __init__(self, gamma, lr, n_actions, input_dims, batch_size=8, replace=5):
        self.gamma, self.batch_size, self.replace_target_cnt = gamma, batch_size, replace
        self.learn_step_counter = 0
        self.memory = ReplayBuffer(100, input_dims)
        self.q_eval = DeepQNetwork(lr, n_actions, input_dims)
        self.q_next = DeepQNetwork(lr, n_actions, input_dims)

    def sample_memory(self):
        state, action, reward, new_state, done = self.memory.sample(self.batch_size)
        states = T.tensor(state).to(self.q_eval.device)
        rewards = T.tensor(reward).to(self.q_eval.device)
        dones = T.tensor(done).to(self.q_eval.device)
        actions = T.tensor(action).to(self.q_eval.device)
        states_ = T.tensor(new_state).to(self.q_eval.device)
        return states, actions, rewards, states_, dones

    def replace_target_network(self):
        if self.learn_step_counter % self.replace_target_cnt == 0:
            self.q_next.load_state_dict(self.q_eval.state_dict())

    def learn(self):
        if self.memory.cntr < self.batch_size:
            return
        self.q_eval.optimizer.zero_grad()
        self.replace_target_network()
        states, actions, rewards, states_, dones = self.sample_memory()
        indices = np.arange(self.batch_size)
        q_pred = self.q_eval.forward(states)[indices, actions]
        q_next = self.q_next.forward(states_).max(dim=1)[0]
        q_next[dones] = 0.0
        q_target = rewards + self.gamma * q_next
        loss = self.q_eval.loss(q_target, q_pred).to(self.q_eval.device)  # asked: TL125
        loss.backward()
        self.q_eval.optimizer.step()
        self.learn_step_counter += 1


if __name__ == "__main__":
    agent = DQNAgent(0.99, 1e-4, 2, 4)
    for step in range(40):
        agent.memory.store(np.random.rand(4), step % 2, 1.0, np.random.rand(4), step % 7 == 0)
        agent.learn()
