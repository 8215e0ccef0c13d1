import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, out_dim=32):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.l1, self.l2 = nn.Linear(16, 16), nn.Linear(16, out_dim)

    def forward(self, x):
        h = self.features(x).flatten(1)
        return h, self.l2(F.relu(self.l1(h)))


class SimCLR:
    def __init__(self, dataset, config):
        self.dataset, self.config = dataset, config

    def _step(self, model, xis, xjs):
        zis, zjs = F.normalize(model(xis)[1], dim=1), F.normalize(model(xjs)[1], dim=1)
        logits = zis @ zjs.t() / self.config["temperature"]
        return F.cross_entropy(logits, torch.arange(len(zis)))

    def train(self):
        train_loader = DataLoader(self.dataset, batch_size=self.config["batch_size"], shuffle=True, drop_last=True)
        model = Encoder()
        optimizer = torch.optim.Adam(model.parameters(), 3e-4, weight_decay=1e-6)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=self.config["epochs"], eta_min=0, last_epoch=-1)
        n_iter = 0
        for epoch_counter in range(self.config["epochs"]):
            for xis, xjs in train_loader:
                optimizer.zero_grad()
                loss = self._step(model, xis, xjs)
                loss.backward()
                optimizer.step()
                n_iter += 1
            if epoch_counter >= 10:
                scheduler.step()
            print("cosine_lr_decay", scheduler.get_last_lr()[0], n_iter)


if __name__ == "__main__":
    SimCLR(TensorDataset(torch.rand(32, 3, 16, 16), torch.rand(32, 3, 16, 16)), {"batch_size": 8, "epochs": 3, "temperature": 0.5}).train()
