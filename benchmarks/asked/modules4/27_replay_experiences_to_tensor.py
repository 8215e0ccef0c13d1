import collections
import random

import numpy as np
import torch


class ReplayBuffer:
    def __init__(self, capacity):
        self.memory = collections.deque(maxlen=capacity)

    def append(self, state, action, reward, next_state, is_state_terminal=False):
        self.memory.append(dict(state=state, action=action, reward=reward, next_state=next_state, is_state_terminal=is_state_terminal))

    def sample(self, num_experiences):
        return random.sample(self.memory, num_experiences)


class Policy:
    def __init__(self, n_dims, n_actions):
        self.rng = np.random.default_rng(0)
        self.n_dims, self.n_actions = n_dims, n_actions

    def observe(self):
        return self.rng.normal(size=self.n_dims).astype(np.float32)

    def act(self):
        return self.rng.uniform(-1, 1, size=self.n_actions).astype(np.float32)


def batch_experiences(experiences, device):
    return {
        "state": torch.from_numpy(np.stack([elem["state"] for elem in experiences])).to(device),
        "action": torch.as_tensor([elem["action"] for elem in experiences], device=device),  # asked: TL805
        "reward": torch.as_tensor([elem["reward"] for elem in experiences], dtype=torch.float32, device=device),
        "next_state": torch.from_numpy(np.stack([elem["next_state"] for elem in experiences])).to(device),
    }


if __name__ == "__main__":
    policy, buffer = Policy(6, 3), ReplayBuffer(1000)
    for _ in range(100):
        buffer.append(policy.observe(), policy.act(), random.random(), policy.observe())
    batch = batch_experiences(buffer.sample(32), torch.device("cpu"))
    print({key: value.shape for key, value in batch.items()})
