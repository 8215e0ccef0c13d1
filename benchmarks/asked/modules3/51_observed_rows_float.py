import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class ODESeries(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        times = np.sort(np.random.rand(5))
        return {"times": times, "X": np.random.randn(5, 3).astype(np.float32), "id": i}


def collate(batch):
    times = np.concatenate([b["times"] for b in batch])
    order = np.argsort(times)
    ids = np.concatenate([np.full(len(b["times"]), k) for k, b in enumerate(batch)])
    values = np.concatenate([b["X"] for b in batch])
    return {"times": times[order], "X": torch.tensor(values[order]), "obs_idx": torch.Tensor(ids[order]), "n": len(batch)}


class ObservationCell(nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.gru = nn.GRUCell(size, hidden)

    def forward(self, h, X_obs, i_obs):
        updated = h.clone()
        updated[i_obs] = self.gru(X_obs, h[i_obs])  # asked: TL507
        return updated


class Net(nn.Module):
    def __init__(self, size=3, hidden=8):
        super().__init__()
        self.hidden = hidden
        self.cell = ObservationCell(size, hidden)

    def forward(self, batch):
        h = torch.zeros(batch["n"], self.hidden)
        for k in range(len(batch["times"])):
            h = self.cell(h, batch["X"][k:k + 1], batch["obs_idx"][k:k + 1])
        return h


net = Net()
for batch in DataLoader(ODESeries(8), batch_size=4, shuffle=True, collate_fn=collate):
    print(net(batch).shape)
