import numpy as np
import torch
from torch import nn


class PytorchModel:
    def __init__(self, model_obj, loss_fn):
        self.model_obj = model_obj
        self.loss_fn = loss_fn

    def get_logits(self, batch_samples):
        with torch.no_grad():
            return self.model_obj(torch.tensor(batch_samples)).numpy()

    def get_loss(self, batch_samples, batch_labels, per_point=True):
        with torch.no_grad():
            logits = self.model_obj(torch.tensor(batch_samples))
            labels = torch.tensor(batch_labels)
            if per_point:
                return self.loss_fn(logits, labels).numpy()
            return self.loss_fn(logits, labels).mean().item()


if __name__ == "__main__":
    target = PytorchModel(nn.Linear(10, 3), nn.CrossEntropyLoss(reduction="none"))
    x = np.random.rand(8, 10).astype(np.float32)
    y = np.random.randint(0, 3, 8)
    print(target.get_loss(x, y))
