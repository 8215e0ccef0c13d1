from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class TrainerConfig:
    max_epochs: int = 2
    batch_size: int = 8
    grad_norm_clip: float = 1.0
    use_amp: bool = True


class Trainer:
    def __init__(self, config, model, optimizer, train_dataset, test_dataset=None):
        self.config = config
        self.train_loader = self._prepare_dataloader(train_dataset)
        self.test_loader = self._prepare_dataloader(test_dataset) if test_dataset else None
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model = model.to(self.device)
        self.optimizer = optimizer
        if self.config.use_amp:
            self.scaler = torch.amp.GradScaler(self.device)

    def _prepare_dataloader(self, dataset):
        return DataLoader(dataset, batch_size=self.config.batch_size, shuffle=True)

    def _run_batch(self, source, targets, train=True):
        with torch.set_grad_enabled(train), torch.amp.autocast(self.device, dtype=torch.bfloat16, enabled=self.config.use_amp):
            logits = self.model(source)
            loss = torch.nn.functional.cross_entropy(logits, targets)
        if train:
            self.optimizer.zero_grad(set_to_none=True)
            if self.config.use_amp:
                self.scaler.scale(loss).backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.grad_norm_clip)  # asked: TL206
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.grad_norm_clip)
                self.optimizer.step()
        return loss.item()

    def _run_epoch(self, epoch, dataloader, train=True):
        self.model.train(train)
        for it, (source, targets) in enumerate(dataloader):
            source = source.to(self.device)
            targets = targets.to(self.device)
            batch_loss = self._run_batch(source, targets, train)
            if it % 10 == 0:
                print(epoch, it, "Train" if train else "Eval", batch_loss)

    def train(self):
        for epoch in range(self.config.max_epochs):
            self._run_epoch(epoch, self.train_loader, train=True)
            if self.test_loader:
                self._run_epoch(epoch, self.test_loader, train=False)


def main():
    model = torch.nn.Sequential(torch.nn.Linear(12, 32), torch.nn.GELU(), torch.nn.Linear(32, 4))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    data = TensorDataset(torch.randn(64, 12), torch.randint(0, 4, (64,)))
    Trainer(TrainerConfig(), model, optimizer, data, data).train()


if __name__ == "__main__":
    main()
