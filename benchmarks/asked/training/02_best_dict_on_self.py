from abc import abstractmethod

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class BaseImputer:
    def __init__(self, epochs, patience):
        self.epochs = epochs
        self.patience = patience
        self.original_patience = patience
        self.model = None
        self.optimizer = None
        self.best_model_dict = None
        self.best_loss = float("inf")

    @abstractmethod
    def _assemble(self, data):
        pass

    def _train_model(self, training_loader, val_loader=None):
        for epoch in range(1, self.epochs + 1):
            self.model.train()
            losses = []
            for data in training_loader:
                self.optimizer.zero_grad()
                loss = self._assemble(data)
                loss.backward()
                self.optimizer.step()
                losses.append(loss.item())
            mean_loss = sum(losses) / len(losses)

            if val_loader is not None:
                self.model.eval()
                with torch.no_grad():
                    mean_loss = sum(self._assemble(data).item() for data in val_loader) / len(val_loader)

            if mean_loss < self.best_loss:
                self.best_loss = mean_loss
                self.best_model_dict = self.model.state_dict()  # asked: TL216
                self.patience = self.original_patience
            else:
                self.patience -= 1
            if self.patience == 0:
                break

    def fit(self, train_set, val_set):
        train_loader = DataLoader(TensorDataset(train_set), batch_size=8, shuffle=True)
        val_loader = DataLoader(TensorDataset(val_set), batch_size=8)
        self._train_model(train_loader, val_loader)
        self.model.load_state_dict(self.best_model_dict)
        self.model.eval()


class LinearImputer(BaseImputer):
    def __init__(self, width, epochs=5, patience=3):
        super().__init__(epochs, patience)
        self.model = nn.Sequential(nn.Linear(width, 16), nn.Tanh(), nn.Linear(16, width))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)

    def _assemble(self, data):
        (x,) = data
        mask = (torch.rand_like(x) > 0.2).float()
        return ((self.model(x * mask) - x) ** 2 * (1 - mask)).mean()


if __name__ == "__main__":
    imputer = LinearImputer(6)
    imputer.fit(torch.randn(64, 6), torch.randn(16, 6))
