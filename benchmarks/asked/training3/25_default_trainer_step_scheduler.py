import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset


class DefaultTrainer:
    def __init__(self, optimizer, scheduler, criterion, accumulation_step=1):
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.criterion = criterion
        self.accumulation_step = accumulation_step

    def train(self, dataloader, model, epoch):
        self.optimizer.zero_grad()
        epoch_loss = 0.0
        for i, (inputs, targets) in enumerate(dataloader):
            preds = model(inputs)
            batch_loss = self.criterion(preds, targets)
            batch_loss = batch_loss / self.accumulation_step
            batch_loss.backward()
            if (i + 1) % self.accumulation_step == 0:
                self.optimizer.step()
                self.scheduler.step()  # asked: TL205
                self.optimizer.zero_grad()
            epoch_loss += batch_loss.item()
        return epoch_loss / len(dataloader)

    def __call__(self, dataloader, model, epoch):
        model.train()
        return self.train(dataloader, model, epoch)


def main(num_epochs=100):
    model = nn.Linear(10, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = StepLR(optimizer, step_size=30, gamma=0.1)
    trainer = DefaultTrainer(optimizer, scheduler, nn.CrossEntropyLoss())
    data = TensorDataset(torch.randn(64, 10), torch.randint(0, 3, (64,)))
    loader = DataLoader(data, batch_size=16, shuffle=True)
    for epoch in range(num_epochs):
        loss = trainer(loader, model, epoch)
        print(epoch, loss, optimizer.param_groups[0]["lr"])


if __name__ == "__main__":
    main()
