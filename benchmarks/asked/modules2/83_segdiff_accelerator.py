import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.optim import AdamW
from torch.utils.data import DataLoader, TensorDataset


class MedSegDiff(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(2, channels, 3, padding=1), nn.SiLU(), nn.Conv2d(channels, 1, 3, padding=1))

    def forward(self, mask, image):
        noise = torch.randn_like(mask)
        return (self.net(torch.cat([mask + noise, image], dim=1)) - noise).pow(2).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=1)
    args = parser.parse_args()
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps, mixed_precision="no")
    model = MedSegDiff()
    data_loader = DataLoader(TensorDataset(torch.rand(16, 1, 16, 16), torch.rand(16, 1, 16, 16)), batch_size=4, shuffle=True)
    optimizer = AdamW(model.parameters(), lr=1e-4)
    model, optimizer, data_loader = accelerator.prepare(model, optimizer, data_loader)
    for epoch in range(args.epochs):
        running_loss = 0.0
        for mask, image in data_loader:
            with accelerator.accumulate(model):
                loss = model(mask, image)
                loss.backward()  # asked: TL241
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            running_loss += loss.item()
        accelerator.print(epoch, running_loss / len(data_loader))


if __name__ == "__main__":
    main()
