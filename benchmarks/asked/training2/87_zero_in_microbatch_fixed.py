import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(args):
    model = nn.Sequential(nn.Linear(16, 64), nn.SiLU(), nn.Linear(64, 16))
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    dataset = TensorDataset(torch.randn(64, 16))
    micro_batch = args.global_batch_size // args.grad_accum_steps
    loader = DataLoader(dataset, batch_size=micro_batch, shuffle=True, drop_last=True)
    train_steps, accum_counter = 0, 0
    opt.zero_grad(set_to_none=True)
    for epoch in range(args.epochs):
        model.train()
        for (x,) in loader:
            noise = torch.randn_like(x)
            t = torch.rand(x.size(0), 1)
            pred = model((1 - t) * x + t * noise)
            loss = F.mse_loss(pred, noise - x) / args.grad_accum_steps
            loss.backward()
            accum_counter += 1
            if accum_counter < args.grad_accum_steps:
                continue
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad(set_to_none=True)
            accum_counter = 0
            train_steps += 1
    return train_steps


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--global-batch-size", type=int, default=16)
    parser.add_argument("--grad-accum-steps", type=int, default=4)
    print(main(parser.parse_args()))
