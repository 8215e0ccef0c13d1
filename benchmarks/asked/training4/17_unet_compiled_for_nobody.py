import torch
from torch import nn


class StableDiffusion:
    def __init__(self, device="cpu"):
        self.device = device
        self.unet = nn.Sequential(nn.Conv2d(4, 16, 3, padding=1), nn.SiLU(), nn.Conv2d(16, 4, 3, padding=1))


class ModelConfig:
    def __init__(self, **kwargs):
        self.compile = kwargs.get("compile", False)
        self.lr = kwargs.get("lr", 1e-4)


class BaseSDTrainProcess:
    def __init__(self, config):
        self.model_config = ModelConfig(**config)
        self.sd = StableDiffusion()

    def setup(self):
        if self.model_config.compile:
            torch.compile(self.sd.unet, dynamic=True, fullgraph=True, mode="max-autotune")  # asked: TL910
        self.optimizer = torch.optim.AdamW(self.sd.unet.parameters(), lr=self.model_config.lr)

    def run(self, steps=3):
        self.setup()
        for step in range(steps):
            latents, noise = torch.randn(2, 4, 16, 16), torch.randn(2, 4, 16, 16)
            pred = self.sd.unet(latents + noise)
            loss = nn.functional.mse_loss(pred, noise)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            print(step, loss.item())


if __name__ == "__main__":
    BaseSDTrainProcess({"compile": True}).run()
