import torch
import torch.distributed as dist
from torch.nn.parallel.distributed import DistributedDataParallel as DDP
from torch.optim import AdamW
from torch.utils.data import DataLoader, Dataset


class TextDataset(Dataset):
    def __init__(self, n=256, length=12):
        self.ids = torch.randint(0, 100, (n, length))

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, idx):
        return self.ids[idx]


def infinite_loader(data_loader):
    while True:
        yield from data_loader


def load_data_text(batch_size, deterministic=False, loop=True):
    dataset = TextDataset()
    sampler = torch.utils.data.distributed.DistributedSampler(dataset, shuffle=not deterministic)
    data_loader = DataLoader(dataset, batch_size=batch_size, sampler=sampler, num_workers=0)
    if loop:
        return infinite_loader(data_loader)
    return iter(data_loader)


class TrainLoop:
    def __init__(self, *, model, data, lr, steps):
        self.model, self.data, self.steps = model, data, steps
        self.opt = AdamW(list(self.model.parameters()), lr=lr)
        self.ddp_model = DDP(self.model)

    def run_loop(self):
        for step in range(self.steps):
            batch = next(self.data)
            self.opt.zero_grad()
            loss = self.ddp_model(batch).pow(2).mean()
            loss.backward()
            self.opt.step()


def main():
    dist.init_process_group(backend="gloo", init_method="env://")
    data = load_data_text(batch_size=16)
    model = torch.nn.Sequential(torch.nn.Embedding(100, 16), torch.nn.Linear(16, 16))
    TrainLoop(model=model, data=data, lr=1e-4, steps=100).run_loop()


if __name__ == "__main__":
    main()
