import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Updater:
    """Wraps the optimizer, and what is done to gradients before its step."""

    def __init__(self, config, network):
        self.network = network
        self._grad_clip_global_norm = config.get("gradient_clip_global_norm", 0.0)
        self._grad_clip = config.get("gradient_clip", 0.0)
        self._grad_scaler = torch.amp.GradScaler(config["device"])
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=config.get("learning_rate", 1e-3))

    def zero_grad(self):
        self.optimizer.zero_grad(set_to_none=True)

    def backward(self, loss):
        self._grad_scaler.scale(loss).backward()

    def step(self):
        self._grad_scaler.unscale_(self.optimizer)
        if self._grad_clip:
            torch.nn.utils.clip_grad_value_(self.network.parameters(), self._grad_clip)
        if self._grad_clip_global_norm:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self._grad_clip_global_norm)
        self._grad_scaler.step(self.optimizer)
        self._grad_scaler.update()


class Engine:
    def __init__(self, config):
        self.device = config["device"]
        self.network = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5)).to(self.device)
        self.updater = Updater(config, self.network)

    def train_epoch(self, loader):
        self.network.train()
        for features, classes in loader:
            features, classes = features.to(self.device), classes.to(self.device)
            with torch.autocast(self.device, dtype=torch.float16):
                loss = nn.functional.cross_entropy(self.network(features), classes)
            self.updater.zero_grad()
            self.updater.backward(loss)
            self.updater.step()


if __name__ == "__main__":
    device = "cuda" if torch.cuda.is_available() else "cpu"
    engine = Engine({"device": device, "gradient_clip_global_norm": 5.0})
    data = TensorDataset(torch.randn(64, 20), torch.randint(5, (64,)))
    engine.train_epoch(DataLoader(data, batch_size=16, shuffle=True))
