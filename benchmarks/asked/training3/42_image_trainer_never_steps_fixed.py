import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def get_default_transform():
    return None


class PyTorchImageClassificationTrainer:
    def __init__(self, model, dataset, dataloader_kwargs=None, optimizer_kwargs=None, trainer_kwargs=None):
        self.model = model
        self._use_cuda = torch.cuda.is_available()
        if self._use_cuda:
            self.model.cuda()
        self._loss_fn = nn.CrossEntropyLoss()
        self._dataset = dataset
        self._optimizer = torch.optim.SGD(model.parameters(), **(optimizer_kwargs or {"lr": 0.1}))
        self._trainer_kwargs = trainer_kwargs or {"max_epochs": 2}
        self._dataloader = DataLoader(dataset, **(dataloader_kwargs or {"batch_size": 8}))

    def _accuracy(self, input, target):
        _, predict = torch.max(input.data, 1)
        return predict.eq(target.data).cpu().float().mean().item()

    def training_step(self, batch, batch_idx):
        x, y = self.training_step_before_model(batch, batch_idx)
        y_hat = self.model(x)
        return self.training_step_after_model(x, y, y_hat)

    def training_step_before_model(self, batch, batch_idx):
        x, y = batch
        if self._use_cuda:
            x, y = x.cuda(), y.cuda()
        return x, y

    def training_step_after_model(self, x, y, y_hat):
        loss = self._loss_fn(y_hat, y)
        return loss

    def validation_step(self, batch):
        x, y = batch
        return self._accuracy(self.model(x), y)

    def _train(self):
        for i, batch in enumerate(self._dataloader):
            self._optimizer.zero_grad()
            loss = self.training_step(batch, i)
            loss.backward()
            self._optimizer.step()

    def _validate(self):
        validation_losses = []
        self.model.eval()
        with torch.no_grad():
            for batch in self._dataloader:
                validation_losses.append(self.validation_step(batch))
        return sum(validation_losses) / len(validation_losses)

    def fit(self):
        for _ in range(self._trainer_kwargs["max_epochs"]):
            self.model.train()
            self._train()
        print(self._validate())


if __name__ == "__main__":
    data = TensorDataset(torch.randn(32, 3, 8, 8), torch.randint(0, 5, (32,)))
    net = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU(), nn.Flatten(), nn.Linear(216, 5))
    PyTorchImageClassificationTrainer(net, data).fit()
