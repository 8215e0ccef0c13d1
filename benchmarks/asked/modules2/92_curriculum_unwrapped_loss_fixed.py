import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class TimeSeriesModel(torch.nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.encoder = torch.nn.GRU(1, width, batch_first=True)
        self.head = torch.nn.Linear(width, 3)

    def forward(self, batch):
        series, labels = batch
        _, hidden = self.encoder(series)
        return torch.nn.functional.cross_entropy(self.head(hidden[-1]), labels)

    def compute_loss(self, batch):
        return self.forward(batch)


class CurriculumTrainer:
    def __init__(self):
        dist.init_process_group(backend="nccl")
        self.rank = int(os.environ["LOCAL_RANK"])
        self.device = f"cuda:{self.rank}"
        self.model = self._initialize_model()

    def _initialize_model(self):
        model = TimeSeriesModel().to(self.device)
        return DDP(model, device_ids=[self.rank])

    def _get_model(self):
        return self.model.module if hasattr(self.model, "module") else self.model

    def train_stage(self, dataset, epochs=3):
        sampler = DistributedSampler(dataset)
        loader = DataLoader(dataset, batch_size=4, sampler=sampler)
        optimizer = torch.optim.AdamW(self._get_model().parameters(), lr=1e-3)
        for epoch in range(epochs):
            sampler.set_epoch(epoch)
            for series, labels in loader:
                batch = (series.to(self.device), labels.to(self.device))
                optimizer.zero_grad()
                loss = self.model(batch)
                loss.backward()
                optimizer.step()


if __name__ == "__main__":
    CurriculumTrainer().train_stage(TensorDataset(torch.randn(32, 20, 1), torch.randint(0, 3, (32,))))
