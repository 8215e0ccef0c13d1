import lightning as L
import torch
import torch.nn as nn
from torchmetrics import Accuracy


class MultiLayerPerceptron(L.LightningModule):
    def __init__(self, image_shape=(1, 28, 28), hidden_units=(32, 16)):
        super().__init__()
        self.train_acc = Accuracy(task="multiclass", num_classes=10)
        input_size = image_shape[0] * image_shape[1] * image_shape[2]
        layers = [nn.Flatten()]
        for hidden in hidden_units:
            layers += [nn.Linear(input_size, hidden), nn.ReLU()]
            input_size = hidden
        layers.append(nn.Linear(hidden_units[-1], 10))
        self.model = nn.Sequential(*layers)

    def forward(self, x):
        return self.model(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        loss = nn.functional.cross_entropy(logits, y)
        self.train_acc.update(torch.argmax(logits, dim=1), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def training_epoch_end(self, outs):  # asked: TL901
        self.log("train_acc", self.train_acc.compute())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.001)
