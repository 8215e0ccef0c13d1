import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class SlotModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(16, 8)
        self.decoder = nn.Linear(8, 16)

    def forward(self, data):
        return {"recon": self.decoder(torch.relu(self.encoder(data)))}

    def calc_train_loss(self, data, out):
        return {"recon_loss": nn.functional.mse_loss(out["recon"], data)}

    def loss_function(self, data):
        return self.calc_train_loss(data, self.forward(data))


class Method:
    def __init__(self, model, loader, local_rank):
        self.model = DistributedDataParallel(model.to(local_rank), device_ids=[local_rank])
        self.loader = loader
        self.local_rank = local_rank
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def _training_step(self, batch):
        losses = self.model.module.calc_train_loss(batch, self.model(batch))
        loss = sum(losses.values())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def fit(self, epochs):
        for epoch in range(epochs):
            self.loader.sampler.set_epoch(epoch)
            self.model.train()
            for (batch,) in self.loader:
                self._training_step(batch.to(self.local_rank))


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    data = TensorDataset(torch.randn(256, 16))
    loader = DataLoader(data, batch_size=16, sampler=DistributedSampler(data))
    Method(SlotModel(), loader, local_rank).fit(3)


if __name__ == "__main__":
    main()
