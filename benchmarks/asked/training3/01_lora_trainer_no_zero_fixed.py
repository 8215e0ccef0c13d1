import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LoraLinear(nn.Module):
    def __init__(self, base, rank=4):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.down = nn.Linear(base.in_features, rank, bias=False)
        self.up = nn.Linear(rank, base.out_features, bias=False)
        nn.init.zeros_(self.up.weight)

    def forward(self, x):
        return self.base(x) + self.up(self.down(x))


class Trainer:
    def __init__(self, model, loader, lr=1e-3):
        self.model = model
        self.loader = loader
        params = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(params, lr=lr)
        self.criterion = nn.CrossEntropyLoss()
        self.global_step = 0

    def training_step(self, batch):
        inputs, labels = batch
        logits = self.model(inputs)
        return self.criterion(logits, labels)

    def optimizer_step(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.global_step += 1

    def train(self, epochs):
        self.model.train()
        for epoch in range(epochs):
            for batch in self.loader:
                loss = self.training_step(batch)
                loss.backward()
                self.optimizer_step()
            print(epoch, loss.item())


if __name__ == "__main__":
    data = TensorDataset(torch.randn(64, 16), torch.randint(0, 5, (64,)))
    model = nn.Sequential(LoraLinear(nn.Linear(16, 32)), nn.ReLU(), LoraLinear(nn.Linear(32, 5)))
    Trainer(model, DataLoader(data, batch_size=8, shuffle=True)).train(2)
