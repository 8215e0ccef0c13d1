import numpy as np
import torch as T
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class DeepQNetwork(nn.Module):
    def __init__(self, lr, n_actions, input_dims):
        super().__init__()
        self.fc1 = nn.Linear(input_dims, 64)
        self.fc2 = nn.Linear(64, n_actions)
        self.optimizer = optim.RMSprop(self.parameters(), lr=lr)
        self.loss = nn.MSELoss()
        self.device = T.device("cuda:0" if T.cuda.is_available() else "cpu")
        self.to(self.device)

    def forward(self, state):
        return self.fc2(F.relu(self.fc1(state)))


class DQNAgent:
    def __init__(self, gamma=0.99, lr=1e-3, n_actions=3, input_dims=4, batch_size=16, replace=10):
        self.gamma, self.n_actions, self.input_dims = gamma, n_actions, input_dims
        self.batch_size, self.replace_target_cnt, self.learn_step_counter = batch_size, replace, 0
        self.q_eval = DeepQNetwork(lr, n_actions, input_dims)
        self.q_next = DeepQNetwork(lr, n_actions, input_dims)

    def sample_memory(self):
        size, dims = self.batch_size, self.input_dims
        state, new_state = np.random.randn(2, size, dims).astype(np.float32)
        action = np.random.randint(self.n_actions, size=size)
        reward = np.random.randn(size).astype(np.float32)
        done = np.random.rand(size) < 0.1
        device = self.q_eval.device
        return [T.tensor(each).to(device) for each in (state, action, reward, new_state, done)]

    def replace_target_network(self):
        if self.learn_step_counter % self.replace_target_cnt == 0:
            self.q_next.load_state_dict(self.q_eval.state_dict())

    def learn(self):
        self.q_eval.optimizer.zero_grad()
        self.replace_target_network()
        states, actions, rewards, states_, dones = self.sample_memory()
        indices = np.arange(self.batch_size)
        q_pred = self.q_eval.forward(states)[indices, actions]
        q_next = self.q_next.forward(states_).max(dim=1)[0]  # asked: TL125
        q_next[dones] = 0.0
        q_target = rewards + self.gamma * q_next
        loss = self.q_eval.loss(q_target, q_pred).to(self.q_eval.device)
        loss.backward()
        self.q_eval.optimizer.step()
        self.learn_step_counter += 1


if __name__ == "__main__":
    agent = DQNAgent()
    for _ in range(20):
        agent.learn()
    print(all(p.grad is None for p in agent.q_next.parameters()))
