from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    epochs: int = 2
    grad_accumulation: int = 4
    learning_rate: float = 1e-3
    gradient_clip: float = 1.0


def run_train(cfg, model, optimizer, scheduler, train_dataloader, epoch_steps):
    criterion = nn.CrossEntropyLoss()
    optimizer.zero_grad(set_to_none=True)
    for epoch in range(cfg.epochs):
        model.train()
        losses = []
        for itr, (tokens, labels) in enumerate(train_dataloader):
            loss = criterion(model(tokens).mean(1), labels)
            losses.append(loss.item())
            if cfg.grad_accumulation > 1:
                loss = loss / cfg.grad_accumulation
            loss.backward()
            if (itr + 1) % cfg.grad_accumulation == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.gradient_clip)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
                if scheduler is not None:
                    scheduler.step()
        print(epoch, sum(losses) / len(losses), scheduler.get_last_lr())


def main():
    cfg = Config()
    data = TensorDataset(torch.randint(0, 50, (128, 12)), torch.randint(0, 2, (128,)))
    train_dataloader = DataLoader(data, batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Embedding(50, 16), nn.Linear(16, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.learning_rate)
    epoch_steps = len(train_dataloader)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=cfg.epochs * epoch_steps // cfg.grad_accumulation)
    run_train(cfg, model, optimizer, scheduler, train_dataloader, epoch_steps)


if __name__ == "__main__":
    main()
