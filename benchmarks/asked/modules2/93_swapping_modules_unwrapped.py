import argparse

import torch
from torch import nn, optim
from torch.utils import data


class Encoder(nn.Module):
    def __init__(self, channel):
        super().__init__()
        self.stem = nn.Conv2d(3, channel, 3, padding=1)

    def forward(self, x):
        return torch.tanh(self.stem(x))


class Generator(nn.Module):
    def __init__(self, channel):
        super().__init__()
        self.out = nn.Conv2d(channel, 3, 3, padding=1)

    def forward(self, x):
        return self.out(x)


def train(args, loader, encoder, generator, optim_g, device):
    if args.distributed:
        e_module = encoder.module
        g_module = generator.module
    else:
        e_module = encoder
        g_module = generator
    for real_img in loader:
        real_img = real_img[0].to(device)
        fake = g_module(e_module(real_img))  # asked: TL231
        loss = nn.functional.l1_loss(fake, real_img)
        optim_g.zero_grad()
        loss.backward()
        optim_g.step()
    return e_module.state_dict(), g_module.state_dict()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--channel", type=int, default=8)
    parser.add_argument("--local_rank", type=int, default=0)
    args = parser.parse_args()
    args.distributed = torch.cuda.device_count() > 1
    device = "cuda"
    encoder = Encoder(args.channel).to(device)
    generator = Generator(args.channel).to(device)
    optim_g = optim.Adam(list(encoder.parameters()) + list(generator.parameters()), lr=2e-3)
    if args.distributed:
        torch.cuda.set_device(args.local_rank)
        torch.distributed.init_process_group(backend="nccl", init_method="env://")
        encoder = nn.parallel.DistributedDataParallel(encoder, device_ids=[args.local_rank])
        generator = nn.parallel.DistributedDataParallel(generator, device_ids=[args.local_rank])
    dataset = data.TensorDataset(torch.rand(32, 3, 16, 16))
    sampler = data.distributed.DistributedSampler(dataset) if args.distributed else data.RandomSampler(dataset)
    loader = data.DataLoader(dataset, batch_size=4, sampler=sampler, drop_last=True)
    train(args, loader, encoder, generator, optim_g, device)
