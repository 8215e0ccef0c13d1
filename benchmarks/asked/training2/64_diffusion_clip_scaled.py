import argparse

import torch
import torch.nn.functional as F
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--fp16", action="store_true")
parser.add_argument("--lr", type=float, default=5e-6)
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()


class StableDiffusionTrainer:
    def __init__(self, unet, optimizer, loader, device):
        self.unet, self.optimizer, self.loader, self.device = unet.to(device), optimizer, loader, device
        self.scaler = torch.amp.GradScaler(device.type, enabled=args.fp16)
        self.global_step = 0

    def step(self, batch):
        latents = batch.to(self.device)
        noise = torch.randn_like(latents)
        with torch.autocast(self.device.type, enabled=args.fp16):
            noise_pred = self.unet(latents + noise)
        loss = F.mse_loss(noise_pred.float(), noise.float(), reduction="mean")
        self.scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(self.unet.parameters(), 1.0)  # asked: TL206
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        self.global_step += 1
        return {"train/loss": loss.detach().item()}

    def train(self):
        for epoch in range(args.epochs):
            self.unet.train()
            for batch in self.loader:
                print(self.step(batch))


if __name__ == "__main__":
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    unet = nn.Sequential(nn.Conv2d(4, 8, 3, padding=1), nn.SiLU(), nn.Conv2d(8, 4, 3, padding=1))
    optimizer = torch.optim.AdamW(unet.parameters(), lr=args.lr)
    StableDiffusionTrainer(unet, optimizer, [torch.randn(2, 4, 8, 8) for _ in range(3)], device).train()
