import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from torch import nn


class BaseForecaster(pl.LightningModule):
    def __init__(self, learning_rate=1e-3):
        super().__init__()
        self.learning_rate = learning_rate
        self.training_step_outputs = []
        self.validation_step_outputs = []

    def step(self, x, y, batch_idx):
        prediction = self(x)
        loss = F.mse_loss(prediction, y)
        return {"loss": loss, "n_samples": len(y), "prediction": prediction}, prediction

    def training_step(self, batch, batch_idx):
        x, y = batch
        log, out = self.step(x, y, batch_idx)
        self.log("train_loss", log["loss"])
        self.training_step_outputs.append(log)  # asked: TL801
        return log["loss"]

    def on_train_epoch_end(self):
        self.epoch_end(self.training_step_outputs)
        self.training_step_outputs.clear()

    def epoch_end(self, outputs):
        total = sum(output["n_samples"] for output in outputs)
        mean = sum(output["prediction"].sum().item() for output in outputs) / max(total, 1)
        self.log("mean_prediction", mean)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.learning_rate)


class DecoderMLP(BaseForecaster):
    def __init__(self, n_features=8, hidden_size=32):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(n_features, hidden_size), nn.ReLU(), nn.Linear(hidden_size, 1))

    def forward(self, x):
        return self.mlp(x)
