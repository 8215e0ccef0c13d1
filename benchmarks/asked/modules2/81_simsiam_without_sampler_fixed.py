import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class SimSiam(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(3 * 8 * 8, width), nn.BatchNorm1d(width), nn.ReLU())
        self.predictor = nn.Linear(width, width)

    def forward(self, x1, x2):
        z1, z2 = self.encoder(x1), self.encoder(x2)
        p1, p2 = self.predictor(z1), self.predictor(z2)
        return -(F.cosine_similarity(p1, z2.detach()).mean() + F.cosine_similarity(p2, z1.detach()).mean()) / 2


def main(args):
    torch.distributed.init_process_group(backend="nccl")
    torch.cuda.set_device(args.local_rank)
    device = torch.device("cuda", args.local_rank)
    dataset = TensorDataset(torch.randn(128, 3, 8, 8), torch.randn(128, 3, 8, 8))
    sampler = DistributedSampler(dataset)
    train_loader = DataLoader(dataset, sampler=sampler, batch_size=args.batch_size, num_workers=2, pin_memory=True, drop_last=True)
    model = SimSiam().to(device)
    model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    model = nn.parallel.DistributedDataParallel(model, device_ids=[args.local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
    for epoch in range(args.num_epochs):
        model.train()
        sampler.set_epoch(epoch)
        for idx, (images1, images2) in enumerate(train_loader):
            loss = model(images1.to(device, non_blocking=True), images2.to(device, non_blocking=True))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=0)
    parser.add_argument("--batch_size", type=int, default=16)
    parser.add_argument("--num_epochs", type=int, default=2)
    main(parser.parse_args())
