import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BaseTrainer:
    def prepare(self, model, criterion, optimizer, scheduler):
        self.model = model
        self.criterion = criterion()
        self.optimizer = optimizer
        self.scheduler = scheduler

    def train_epoch(self, train_loader, epoch):
        loss_sum = 0.0
        n = 0
        self.model.train()
        for step, (data, targets) in enumerate(train_loader):
            loss, outputs = self.train_step(data, targets)
            loss_sum += loss * data.size(0)
            n += data.size(0)
        return loss_sum / n

    def train_step(self, data, targets):
        self.optimizer.zero_grad()
        outputs = self.model(data)
        loss = self.criterion(outputs, targets)
        loss.backward()
        self.optimizer.step()
        if self.scheduler:
            self.scheduler.step()  # asked: TL205
        return loss.item(), outputs


epochs = 50
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
trainer = BaseTrainer()
trainer.prepare(model, nn.CrossEntropyLoss, optimizer, scheduler)
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randint(0, 2, (48,))), batch_size=8)
for epoch in range(epochs):
    print(epoch, trainer.train_epoch(loader, epoch))
