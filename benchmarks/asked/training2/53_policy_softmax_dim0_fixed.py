import numpy as np
import torch

l1, l2, l3 = 4, 150, 2
model = torch.nn.Sequential(
    torch.nn.Linear(l1, l2),
    torch.nn.LeakyReLU(),
    torch.nn.Linear(l2, l3),
    torch.nn.Softmax(dim=-1)
)
learning_rate = 0.009
optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)


def discount_rewards(rewards, gamma=0.99):
    disc_return = torch.pow(gamma, torch.arange(len(rewards)).float()) * rewards
    disc_return = disc_return / disc_return.max()
    return disc_return


def loss_fn(preds, r):
    return -1 * torch.sum(r * torch.log(preds + 1e-8))


MAX_DUR, MAX_EPISODES = 20, 3
for episode in range(MAX_EPISODES):
    curr_state = np.random.randn(4)
    transitions = []
    for t in range(MAX_DUR):
        act_prob = model(torch.from_numpy(curr_state).float())
        action = np.random.choice(np.array([0, 1]), p=act_prob.data.numpy() / act_prob.data.numpy().sum())
        prev_state = curr_state
        curr_state = np.random.randn(4)
        transitions.append((prev_state, action, t + 1))
        if np.random.rand() < 0.1:
            break
    reward_batch = torch.Tensor([r for (s, a, r) in transitions]).flip(dims=(0,))
    disc_returns = discount_rewards(reward_batch)
    state_batch = torch.Tensor(np.array([s for (s, a, r) in transitions]))
    action_batch = torch.Tensor([a for (s, a, r) in transitions])
    pred_batch = model(state_batch)
    prob_batch = pred_batch.gather(dim=1, index=action_batch.long().view(-1, 1)).squeeze()
    loss = loss_fn(prob_batch, disc_returns)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
