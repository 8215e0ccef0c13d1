import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Callback:
    def set_trainer(self, trainer):
        self.trainer = trainer

    def on_epoch_end(self, epoch, logs):
        pass

    def on_train_end(self):
        pass


class EarlyStopping(Callback):
    def __init__(self, monitor="val_loss", patience=3, restore_best_weights=True):
        self.monitor = monitor
        self.patience = patience
        self.restore_best_weights = restore_best_weights
        self.best = float("inf")
        self.wait = 0
        self.state_dict = None

    def on_epoch_end(self, epoch, logs):
        current = logs[self.monitor]
        if current < self.best:
            self.best = current
            self.wait = 0
            if self.restore_best_weights:
                self.state_dict = self.trainer.model.state_dict()  # asked: TL216
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.trainer.early_stop = True

    def on_train_end(self):
        if self.restore_best_weights and self.state_dict is not None:
            self.trainer.model.load_state_dict(self.state_dict)


class Trainer:
    def __init__(self, model, callbacks):
        self.model = model
        self.early_stop = False
        self.callbacks = callbacks
        for callback in self.callbacks:
            callback.set_trainer(self)
        self.optimizer = torch.optim.Adam(model.parameters())
        self.loss_fn = nn.BCEWithLogitsLoss()

    def fit(self, train_loader, eval_loader, n_epochs):
        for epoch in range(n_epochs):
            self.model.train()
            for x, y in train_loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            logs = {"val_loss": self._evaluate(eval_loader)}
            for callback in self.callbacks:
                callback.on_epoch_end(epoch, logs)
            if self.early_stop:
                break
        for callback in self.callbacks:
            callback.on_train_end()

    def _evaluate(self, loader):
        self.model.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in loader:
                total += self.loss_fn(self.model(x), y).item()
        return total / len(loader)


if __name__ == "__main__":
    data = TensorDataset(torch.randn(64, 5), torch.randint(0, 2, (64, 1)).float())
    trainer = Trainer(nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1)), [EarlyStopping()])
    trainer.fit(DataLoader(data, batch_size=16, shuffle=True), DataLoader(data, batch_size=16), 5)
