import argparse

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build_unet():
    return nn.Sequential(nn.Conv2d(4, 32, 3, padding=1), nn.SiLU(), nn.Conv2d(32, 4, 3, padding=1))


def main(args):
    accelerator = Accelerator(gradient_accumulation_steps=args.accumulate)
    unet = build_unet()
    optimizer = torch.optim.AdamW(unet.parameters(), lr=args.lr)
    lr_scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 100))
    loader = DataLoader(TensorDataset(torch.randn(16, 4, 8, 8)), batch_size=4, shuffle=True)
    unet, optimizer, loader, lr_scheduler = accelerator.prepare(unet, optimizer, loader, lr_scheduler)
    global_step = 0
    for epoch in range(args.epochs):
        unet.train()
        train_loss = 0.0
        for (latents,) in loader:
            with accelerator.accumulate(unet):
                noise = torch.randn_like(latents)
                pred = unet(latents + noise)
                loss = F.mse_loss(pred.float(), noise.float())
                train_loss += loss.detach().item()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(unet.parameters(), 1.0)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
            global_step += 1
        print(epoch, train_loss / len(loader))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--accumulate", type=int, default=1)
    main(parser.parse_args())
