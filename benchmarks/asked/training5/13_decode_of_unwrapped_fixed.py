import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class RAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Conv2d(3, 32, 4, 4).requires_grad_(False)
        self.decoder = nn.ConvTranspose2d(32, 3, 4, 4)

    @torch.no_grad()
    def encode(self, x):
        return self.encoder(x)

    def decode(self, z):
        return self.decoder(z)

    def forward(self, x):
        return self.decode(self.encode(x))


def main(epochs=2):
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    rank = dist.get_rank()
    device = torch.device("cuda", rank) if torch.cuda.is_available() else torch.device("cpu")
    model = DDP(RAE().to(device))
    model_woddp = model.module
    optimizer = torch.optim.AdamW(model_woddp.decoder.parameters(), lr=2e-4)
    dataset = TensorDataset(torch.rand(32, 3, 16, 16))
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler, drop_last=True)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        model.train()
        for (images,) in loader:
            images = images.to(device)
            optimizer.zero_grad(set_to_none=True)
            recon = model(images)
            loss = F.l1_loss(recon, images)
            loss.backward()
            optimizer.step()
    if rank == 0:
        torch.save(model_woddp.state_dict(), os.path.join(os.environ.get("OUT", "/tmp"), "stage1.pt"))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
