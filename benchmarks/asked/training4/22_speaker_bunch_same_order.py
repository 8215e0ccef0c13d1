import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class BaseBunch:
    def __init__(self, trainset, use_ddp=True, batch_size=16):
        self.use_ddp = use_ddp
        self.train_sampler = DistributedSampler(trainset) if use_ddp else None
        self.train_loader = DataLoader(trainset, batch_size=batch_size, shuffle=(not use_ddp), sampler=self.train_sampler)

    def __len__(self):
        return len(self.train_loader)


class SimpleTrainer:
    def __init__(self, data, model, epochs=4):
        self.data, self.epochs = data, epochs
        self.model = DistributedDataParallel(model)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.04, momentum=0.9)
        self.criterion = nn.CrossEntropyLoss()

    def train_one_batch(self, inputs, targets):
        self.model.train()
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(inputs), targets)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self):
        for this_epoch in range(self.epochs):
            for inputs, targets in self.data.train_loader:  # asked: TL213
                loss = self.train_one_batch(inputs, targets)
            if dist.get_rank() == 0:
                print(this_epoch, loss)


def main():
    dist.init_process_group("gloo")
    trainset = TensorDataset(torch.randn(128, 24), torch.randint(0, 5, (128,)))
    SimpleTrainer(BaseBunch(trainset), nn.Sequential(nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, 5))).run()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
