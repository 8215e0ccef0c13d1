import os

import torch
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset


class Trainable:
    def __init__(self, model, n_proc=2, num_epochs=5, batch_size=16):
        self.model = model
        self.n_proc = n_proc
        self.num_epochs = num_epochs
        self.batch_size = batch_size

    def _get_dataloader(self, data, sampler):
        return DataLoader(dataset=data, batch_size=self.batch_size, shuffle=False, sampler=sampler)

    def train(self, train_data):
        os.environ["MASTER_ADDR"] = "127.0.0.1"
        os.environ["MASTER_PORT"] = "8888"
        mp.spawn(self._do_train, nprocs=self.n_proc, args=(train_data,))

    def _do_train(self, rank, train_data):
        torch.distributed.init_process_group("gloo", rank=rank, world_size=self.n_proc)
        model = DDP(self.model)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        sampler = torch.utils.data.distributed.DistributedSampler(train_data, num_replicas=self.n_proc, rank=rank)
        loader = self._get_dataloader(train_data, sampler)
        for epoch in range(self.num_epochs):
            sampler.set_epoch(epoch)
            self._train_epoch(model, optimizer, loader)

    def _train_epoch(self, model, optimizer, loader):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    Trainable(nn.Linear(10, 3)).train(TensorDataset(torch.randn(100, 10), torch.randint(0, 3, (100,))))
