import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def create_dataloaders(trainset, valset, batch_size):
    if dist.is_initialized():
        train_sampler = DistributedSampler(trainset)
        val_sampler = DistributedSampler(valset, shuffle=False)
        train_loader = DataLoader(trainset, batch_size=batch_size, shuffle=False, sampler=train_sampler)
        val_loader = DataLoader(valset, batch_size=batch_size, shuffle=False, sampler=val_sampler)
    else:
        train_sampler = None
        train_loader = DataLoader(trainset, batch_size=batch_size, shuffle=True)
        val_loader = DataLoader(valset, batch_size=batch_size)
    return train_loader, val_loader, train_sampler


def train(loader, model, opt):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()


@torch.no_grad()
def validate(loader, model):
    model.eval()
    return sum(torch.nn.functional.mse_loss(model(x), y).item() for x, y in loader)


def run_training(config):
    dist.init_process_group("gloo")
    trainset = TensorDataset(torch.randn(64, 5), torch.randn(64, 1))
    valset = TensorDataset(torch.randn(16, 5), torch.randn(16, 1))
    train_loader, val_loader, train_sampler = create_dataloaders(trainset, valset, config["batch_size"])
    model = DistributedDataParallel(torch.nn.Linear(5, 1))
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(config["num_epoch"]):
        if train_sampler is not None:
            train_sampler.set_epoch(epoch)
        train(train_loader, model, opt)
        print(epoch, validate(val_loader, model))


if __name__ == "__main__":
    run_training({"batch_size": 8, "num_epoch": 3})
