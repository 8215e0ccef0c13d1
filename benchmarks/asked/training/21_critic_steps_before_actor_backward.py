import torch
from torch import nn
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_


class ValueModel(nn.Module):
    def __init__(self, state_dim, hidden=32):
        super().__init__()
        self.fc1 = nn.Linear(state_dim, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.fc3 = nn.Linear(hidden, 1)

    def forward(self, state):
        hidden = torch.relu(self.fc1(state))
        hidden = torch.relu(self.fc2(hidden))
        return self.fc3(hidden)


class ActionModel(nn.Module):
    def __init__(self, state_dim, action_dim, hidden=32):
        super().__init__()
        self.fc1 = nn.Linear(state_dim, hidden)
        self.fc2 = nn.Linear(hidden, action_dim)

    def forward(self, state):
        return torch.tanh(self.fc2(torch.relu(self.fc1(state))))


def lambda_target(rewards, values, gamma, lambda_):
    target = torch.zeros_like(values[-1])
    targets = []
    for reward, value in zip(reversed(rewards), reversed(values)):
        target = reward + gamma * ((1 - lambda_) * value + lambda_ * target)
        targets.append(target)
    return torch.stack(targets[::-1])


def main():
    transition = nn.Linear(6 + 2, 6)
    reward_model = nn.Linear(6, 1)
    value_model = ValueModel(6)
    action_model = ActionModel(6, 2)
    value_optimizer = torch.optim.Adam(value_model.parameters(), lr=8e-5)
    action_optimizer = torch.optim.Adam(action_model.parameters(), lr=8e-5)

    for update_step in range(3):
        state = torch.randn(16, 6)
        imagined_states = []
        for h in range(5):
            action = action_model(state)
            state = torch.tanh(transition(torch.cat([state, action], dim=1)))
            imagined_states.append(state)
        rewards = [reward_model(s) for s in imagined_states]
        values = [value_model(s) for s in imagined_states]
        targets = lambda_target(rewards, values, 0.99, 0.95)

        value_loss = 0.5 * mse_loss(torch.stack(values), targets.detach())
        value_optimizer.zero_grad()
        value_loss.backward(retain_graph=True)
        clip_grad_norm_(value_model.parameters(), 100)
        value_optimizer.step()  # asked: TL101

        action_loss = -1 * (targets.mean())
        action_optimizer.zero_grad()
        action_loss.backward()
        clip_grad_norm_(action_model.parameters(), 100)
        action_optimizer.step()
        print(update_step, value_loss.item(), action_loss.item())


if __name__ == "__main__":
    main()
