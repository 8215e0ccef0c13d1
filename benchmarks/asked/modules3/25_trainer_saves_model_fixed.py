import os
from pathlib import Path

import torch
from torch import nn


class WideDeep(nn.Module):
    def __init__(self, wide, deep):
        super().__init__()
        self.wide = wide
        self.deep = deep

    def forward(self, w, d):
        return self.wide(w) + self.deep(d)


class Trainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)

    def fit(self, w, d, y, epochs=1):
        self.model.train()
        for _ in range(epochs):
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(w, d), y)
            loss.backward()
            self.optimizer.step()

    def save(self, path, model_filename="wd_model.pt"):
        save_dir = Path(path)
        save_dir.mkdir(exist_ok=True, parents=True)
        model_path = save_dir / model_filename
        torch.save(self.model.state_dict(), model_path)

    @staticmethod
    def load(model, path, model_filename="wd_model.pt"):
        model.load_state_dict(torch.load(os.path.join(path, model_filename), map_location="cpu"))
        return model


if __name__ == "__main__":
    trainer = Trainer(WideDeep(nn.Linear(5, 1), nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))))
    trainer.fit(torch.rand(32, 5), torch.rand(32, 8), torch.rand(32, 1))
    trainer.save("saved")
    model = Trainer.load(trainer.model, "saved")
    print(model(torch.rand(2, 5), torch.rand(2, 8)))
