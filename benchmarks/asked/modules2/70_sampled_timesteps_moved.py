import numpy as np
import torch as th
import torch.nn as nn
from accelerate import Accelerator


class UniformSampler:
    def __init__(self, num_timesteps):
        self._weights = np.ones([num_timesteps])

    def weights(self):
        return self._weights

    def sample(self, batch_size):
        w = self.weights()
        p = w / np.sum(w)
        indices_np = np.random.choice(len(p), size=(batch_size,), p=p)
        indices = th.from_numpy(indices_np).long()
        weights_np = 1 / (len(p) * p[indices_np])
        weights = th.from_numpy(weights_np).float()
        return indices, weights


class TrainLoop:
    def __init__(self, model, data, steps=1000):
        self.accelerator = Accelerator()
        self.opt = th.optim.AdamW(model.parameters(), lr=1e-4)
        self.model, self.opt, self.data = self.accelerator.prepare(model, self.opt, data)
        self.betas = th.linspace(1e-4, 0.02, steps, device=self.accelerator.device)
        self.schedule_sampler = UniformSampler(steps)

    def run_loop(self):
        for (batch,) in self.data:
            self.run_step(batch)

    def run_step(self, batch):
        t, weights = self.schedule_sampler.sample(batch.shape[0])
        t.to(batch.device)  # asked: TL503
        weights.to(batch.device)  # asked: TL503
        noise = th.randn_like(batch)
        x_t = batch + self.betas[t][:, None] * noise
        loss = ((self.model(x_t) - noise).pow(2).mean(1) * weights).mean()
        self.opt.zero_grad()
        self.accelerator.backward(loss)
        self.opt.step()


if __name__ == "__main__":
    loader = th.utils.data.DataLoader(th.utils.data.TensorDataset(th.randn(64, 16)), batch_size=8, shuffle=True)
    TrainLoop(nn.Linear(16, 16), loader).run_loop()
