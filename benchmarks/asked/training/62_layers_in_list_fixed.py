import torch
import torch.nn as nn
import torch.optim as optim


class DQN(nn.Module):
    def __init__(self, sizes):
        super(DQN, self).__init__()
        self.layers = nn.ModuleList()
        for i in range(len(sizes) - 1):
            self.layers.append(nn.Linear(sizes[i], sizes[i + 1]))

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < len(self.layers) - 1:
                x = torch.relu(x)
        return x


class Agent:
    def __init__(self):
        self.policy_net = DQN([4, 24, 24, 2])
        self.optimizer = optim.Adam(self.policy_net.parameters(), lr=0.001)

    def learn(self, states, targets):
        loss = nn.functional.mse_loss(self.policy_net(states), targets)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


if __name__ == "__main__":
    agent = Agent()
    for _ in range(3):
        agent.learn(torch.randn(8, 4), torch.randn(8, 2))
