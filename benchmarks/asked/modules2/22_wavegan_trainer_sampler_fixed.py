import argparse

import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, data_loader, sampler, model, criterion, optimizer, config):
        self.data_loader = data_loader
        self.sampler = sampler
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.config = config
        self.steps, self.epochs, self.finish_train = 0, 0, False

    def run(self):
        while True:
            self._train_epoch()
            if self.finish_train:
                break

    def _train_step(self, batch):
        x, y = batch
        loss = self.criterion(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.steps += 1
        if self.steps >= self.config["train_max_steps"]:
            self.finish_train = True

    def _train_epoch(self):
        if self.sampler["train"] is not None:
            self.sampler["train"].set_epoch(self.epochs)
        for batch in self.data_loader["train"]:
            self._train_step(batch)
            if self.finish_train:
                return
        self.epochs += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rank", "--local_rank", default=0, type=int)
    args = parser.parse_args()
    torch.cuda.set_device(args.rank)
    args.world_size = torch.cuda.device_count()
    args.distributed = args.world_size > 1
    if args.distributed:
        torch.distributed.init_process_group(backend="nccl", init_method="env://")
    dataset = {"train": TensorDataset(torch.randn(64, 5), torch.randn(64, 1))}
    sampler = {"train": None}
    if args.distributed:
        from torch.utils.data.distributed import DistributedSampler

        sampler["train"] = DistributedSampler(dataset=dataset["train"], num_replicas=args.world_size, rank=args.rank, shuffle=True)
    data_loader = {"train": DataLoader(dataset["train"], shuffle=not args.distributed, batch_size=4, sampler=sampler["train"], pin_memory=True)}
    model = torch.nn.Linear(5, 1)
    if args.distributed:
        model = DistributedDataParallel(model)
    optimizer = torch.optim.Adam(model.parameters())
    trainer = Trainer(data_loader, sampler, model, torch.nn.MSELoss(), optimizer, {"train_max_steps": 100})
    trainer.run()


if __name__ == "__main__":
    main()
