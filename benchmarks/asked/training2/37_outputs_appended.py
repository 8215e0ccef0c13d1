import torch
import torch.nn.functional as F
from torch import nn


class Wrapper(nn.Module):
    def __init__(self):
        super().__init__()
        self.depth_net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ELU(), nn.Conv2d(16, 1, 3, padding=1), nn.Sigmoid())

    def configure_optimizers(self):
        self.optimizer = torch.optim.Adam(self.depth_net.parameters(), lr=2e-4)
        return self.optimizer

    def training_step(self, batch):
        depth = self.depth_net(batch["rgb"])
        loss = F.l1_loss(depth, batch["depth"])
        return {"loss": loss, "metrics": {"abs_rel": loss.detach()}}

    def training_epoch_end(self, outputs):
        avg = torch.stack([o["loss"].detach() for o in outputs]).mean()
        print("average", avg.item())


class Trainer:
    def __init__(self, max_epochs=2):
        self.max_epochs = max_epochs

    def fit(self, module, loader):
        optimizer = module.configure_optimizers()
        for epoch in range(self.max_epochs):
            self.train(loader, module, optimizer)

    def train(self, dataloader, module, optimizer):
        module.train()
        outputs = []
        for i, batch in enumerate(dataloader):
            optimizer.zero_grad()
            output = module.training_step(batch)
            output["loss"].backward()
            optimizer.step()
            outputs.append(output)  # asked: TL801
        return module.training_epoch_end(outputs)


if __name__ == "__main__":
    data = [{"rgb": torch.rand(2, 3, 16, 16), "depth": torch.rand(2, 1, 16, 16)} for _ in range(4)]
    Trainer().fit(Wrapper(), data)
