import logging

import torch
from torch import nn


class TimesFMModule(nn.Module):
    def __init__(self, patch=32, dim=64, horizon=128):
        super().__init__()
        self.patch = patch
        self.tokenizer = nn.Linear(patch, dim)
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(dim, 4, 128, batch_first=True) for _ in range(2)])
        self.output = nn.Linear(dim, horizon)

    def load_checkpoint(self, path, **kwargs):
        torch_compile = kwargs.get("torch_compile", True)
        if path:
            self.load_state_dict(torch.load(path, map_location="cpu"), strict=True)
        self.eval()
        if torch_compile:
            logging.info("Compiling model...")
            self = torch.compile(self)  # asked: TL910

    def forward(self, inputs):
        x = self.tokenizer(inputs.unflatten(-1, (-1, self.patch)))
        for layer in self.layers:
            x = layer(x)
        return self.output(x)


class TimesFM:
    def __init__(self):
        self.model = TimesFMModule()

    @classmethod
    def from_pretrained(cls, path=None, torch_compile=True):
        instance = cls()
        instance.model.load_checkpoint(path, torch_compile=torch_compile)
        return instance

    def forecast(self, series):
        with torch.no_grad():
            return self.model(series)[:, -1]


if __name__ == "__main__":
    model = TimesFM.from_pretrained()
    print(model.forecast(torch.randn(2, 256)).shape, type(model.model))
