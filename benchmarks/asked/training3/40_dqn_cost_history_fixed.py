import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, n_feature, n_hidden, n_output):
        super(Net, self).__init__()
        self.el = nn.Linear(n_feature, n_hidden)
        self.q = nn.Linear(n_hidden, n_output)

    def forward(self, x):
        return self.q(F.relu(self.el(x)))


class DeepQNetwork:
    def __init__(self, n_actions, n_features, n_hidden=20, learning_rate=0.01, gamma=0.9,
                 replace_target_iter=200, memory_size=500, batch_size=32):
        self.n_actions, self.n_features = n_actions, n_features
        self.gamma = gamma
        self.replace_target_iter = replace_target_iter
        self.memory_size, self.batch_size = memory_size, batch_size
        self.learn_step_counter = 0
        self.memory_counter = 0
        self.memory = np.zeros((memory_size, n_features * 2 + 2))
        self.loss_func = nn.MSELoss()
        self.cost_his = []
        self.q_eval = Net(n_features, n_hidden, n_actions)
        self.q_target = Net(n_features, n_hidden, n_actions)
        self.optimizer = torch.optim.RMSprop(self.q_eval.parameters(), lr=learning_rate)

    def store_transition(self, s, a, r, s_):
        index = self.memory_counter % self.memory_size
        self.memory[index, :] = np.hstack((s, [a, r], s_))
        self.memory_counter += 1

    def learn(self):
        if self.learn_step_counter % self.replace_target_iter == 0:
            self.q_target.load_state_dict(self.q_eval.state_dict())
        high = min(self.memory_counter, self.memory_size)
        batch = self.memory[np.random.choice(high, size=self.batch_size)]
        q_next = self.q_target(torch.Tensor(batch[:, -self.n_features :])).detach()
        q_eval = self.q_eval(torch.Tensor(batch[:, : self.n_features]))
        action = torch.LongTensor(batch[:, self.n_features].astype(int)).unsqueeze(1)
        reward = torch.Tensor(batch[:, self.n_features + 1])
        q_target = reward + self.gamma * q_next.max(1)[0]
        loss = self.loss_func(q_eval.gather(1, action).squeeze(1), q_target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.cost_his.append(loss.item())
        self.learn_step_counter += 1

    def plot_cost(self):
        print(np.arange(len(self.cost_his)).shape, self.cost_his[-1])


RL = DeepQNetwork(4, 2)
step = 0
for episode in range(3):
    state = np.random.rand(2)
    while True:
        next_state = np.random.rand(2)
        RL.store_transition(state, np.random.randint(4), np.random.rand(), next_state)
        if step > 40 and step % 5 == 0:
            RL.learn()
        state = next_state
        step += 1
        if np.random.rand() < 0.02:
            break
for _ in range(3):
    RL.learn()
RL.plot_cost()
