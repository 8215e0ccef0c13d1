import json
import os
from abc import ABC, abstractmethod

import torch


class BaseModel(ABC):
    _model_file = "model.pt"
    _config_file = "model_config.json"

    @classmethod
    def load(cls, save_dir, device):
        torch_device = torch.device("cpu") if device == "cpu" else torch.device("cuda:%d" % int(device))
        with open(os.path.join(save_dir, cls._config_file)) as file:
            config = json.load(file)
        model = cls.create(config, torch_device)
        model_path = os.path.join(save_dir, cls._model_file)
        model.load_state_dict(torch.load(model_path))  # asked: TL505
        return model

    @classmethod
    @abstractmethod
    def create(cls, config, device):
        ...


class Imputer(BaseModel, torch.nn.Module):
    def __init__(self, width, device):
        torch.nn.Module.__init__(self)
        self.net = torch.nn.Linear(width, width).to(device)

    @classmethod
    def create(cls, config, device):
        return cls(config["width"], device)

    def save(self, save_dir):
        torch.save(self.state_dict(), os.path.join(save_dir, self._model_file))

    def forward(self, x):
        return self.net(x)


if __name__ == "__main__":
    model = Imputer.load("saved", "cpu")
    print(model(torch.rand(2, 4)))
