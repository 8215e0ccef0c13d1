import logging

import torch
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


class Executor:
    def __init__(self):
        self.step = 0

    def train(self, model, optimizer, data_loader, device, args):
        model.train()
        clip = args.get("grad_clip", 50.0)
        log_interval = args.get("log_interval", 10)
        epoch = args.get("epoch", 0)
        num_total_batch = 0
        total_loss = 0.0
        for batch_idx, batch in enumerate(data_loader):
            feats, target = batch
            feats = feats.to(device)
            target = target.to(device)
            num_utts = feats.size(0)
            if num_utts == 0:
                continue
            logits = model(feats)
            loss = torch.nn.functional.cross_entropy(logits, target)
            optimizer.zero_grad()
            loss.backward()
            grad_norm = clip_grad_norm_(model.parameters(), clip)
            if torch.isfinite(grad_norm):
                optimizer.step()
            total_loss += loss.item()
            num_total_batch += 1
            if batch_idx % log_interval == 0:
                logging.debug("epoch %d batch %d loss %f", epoch, batch_idx, loss.item())
        return total_loss / num_total_batch

    def cv(self, model, data_loader, device, args):
        model.eval()
        total = 0.0
        with torch.no_grad():
            for feats, target in data_loader:
                logits = model(feats.to(device))
                total += torch.nn.functional.cross_entropy(logits, target.to(device)).item()
        return total / len(data_loader)


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = torch.nn.Sequential(torch.nn.Linear(20, 32), torch.nn.ReLU(), torch.nn.Linear(32, 3)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    data = TensorDataset(torch.randn(64, 20), torch.randint(0, 3, (64,)))
    executor = Executor()
    for epoch in range(2):
        executor.train(model, optimizer, DataLoader(data, batch_size=8, shuffle=True), device, {"epoch": epoch})
        cv_loss = executor.cv(model, DataLoader(data, batch_size=8), device, {})
        scheduler.step(cv_loss)
        print(epoch, cv_loss)


if __name__ == "__main__":
    main()
