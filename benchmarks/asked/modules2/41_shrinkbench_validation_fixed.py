import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Datasets:
    @staticmethod
    def synthetic(train=True):
        n = 128 if train else 32
        return TensorDataset(torch.randn(n, 10), torch.randint(0, 3, (n,)))


class TrainingExperiment:
    default_dl_kwargs = {"batch_size": 16, "pin_memory": False, "num_workers": 0}

    def __init__(self, dataset, model, dl_kwargs=None, epochs=2):
        self.epochs = epochs
        self.model = model
        self.build_dataloader(dataset, **{**self.default_dl_kwargs, **(dl_kwargs or {})})
        self.optim = torch.optim.SGD(self.model.parameters(), lr=1e-3)
        self.loss_func = nn.CrossEntropyLoss()

    def build_dataloader(self, dataset, **dl_kwargs):
        constructor = getattr(Datasets, dataset)
        self.train_dataset = constructor(train=True)
        self.val_dataset = constructor(train=False)
        self.train_dl = DataLoader(self.train_dataset, shuffle=True, **dl_kwargs)
        self.val_dl = DataLoader(self.val_dataset, shuffle=False, **dl_kwargs)

    def run(self):
        for epoch in range(self.epochs):
            self.run_epoch(True, epoch)
            print(epoch, self.run_epoch(False, epoch))

    def run_epoch(self, train, epoch):
        dl = self.train_dl if train else self.val_dl
        self.model.train(train)
        total = 0.0
        with torch.set_grad_enabled(train):
            for x, y in dl:
                loss = self.loss_func(self.model(x), y)
                if train:
                    loss.backward()
                    self.optim.step()
                    self.optim.zero_grad()
                total += loss.item()
        return total / len(dl)


if __name__ == "__main__":
    TrainingExperiment("synthetic", nn.Linear(10, 3)).run()
