import argparse

import torch
import torch.nn.functional as F
from torch import nn


def train_one_epoch(args, model, data_loader, optimizer, epoch, scaler):
    model.train()
    optimizer.zero_grad()
    for idx, (img, mask) in enumerate(data_loader):
        with torch.amp.autocast(args.device, enabled=args.amp):
            loss = (F.l1_loss(model(img * (1 - mask)), img, reduction="none") * mask).mean()
        if args.accumulation_steps > 1:
            loss = loss / args.accumulation_steps
            scaler.scale(loss).backward()
            if (idx + 1) % args.accumulation_steps == 0:
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(model.parameters(), args.clip_grad)
            if (idx + 1) % args.accumulation_steps == 0:
                scaler.step(optimizer)
                optimizer.zero_grad()
                scaler.update()
        else:
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), args.clip_grad)
            scaler.step(optimizer)
            scaler.update()
        print(epoch, idx, loss.item())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--accumulation-steps", type=int, default=2)
    parser.add_argument("--clip-grad", type=float, default=5.0)
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    model = nn.Conv2d(3, 3, 3, padding=1).to(args.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler(args.device)
    loader = [(torch.randn(2, 3, 8, 8, device=args.device), torch.rand(2, 1, 8, 8, device=args.device).round()) for _ in range(4)]
    for epoch in range(1):
        train_one_epoch(args, model, loader, optimizer, epoch, scaler)
