import torch
from torch import nn


class LyapunovLoss:
    def __init__(self, relu, x_equilibrium, V_rho=0.1, epsilon=0.5):
        self.relu = relu
        self.x_equilibrium = x_equilibrium
        self.V_rho, self.epsilon = V_rho, epsilon

    def lyapunov_value(self, x):
        return self.relu(x) - self.relu(self.x_equilibrium) + self.V_rho * (x - self.x_equilibrium).abs().sum(-1, keepdim=True)

    def positivity_loss(self, state_samples):
        loss = torch.zeros(1)
        for i in range(state_samples.shape[0]):  # asked: TL804
            x = state_samples[i]
            violation = self.epsilon * (x - self.x_equilibrium).abs().sum(-1, keepdim=True) - self.lyapunov_value(x)
            loss = loss + torch.relu(violation)
        return loss / state_samples.shape[0]


def train(n_samples=200, iterations=3):
    torch.manual_seed(0)
    relu = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.1), nn.Linear(16, 1))
    lyap = LyapunovLoss(relu, torch.zeros(2))
    optimizer = torch.optim.Adam(relu.parameters(), lr=1e-2)
    for iteration in range(iterations):
        state_samples = 4 * torch.rand(n_samples, 2) - 2
        loss = lyap.positivity_loss(state_samples)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(iteration, loss.item())


if __name__ == "__main__":
    train()
