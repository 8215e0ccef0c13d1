import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 16)
        self.head = nn.Linear(16, 100)

    def forward(self, ids, attention_mask=None):
        return self.head(self.embed(ids))


def grpo_train_epoch(model, optimizer, steps, device):
    for step in range(steps):
        outputs = torch.randint(0, 100, (4, 12), device=device)
        full_mask = torch.ones_like(outputs)
        model_unwrapped = model.module if isinstance(model, DistributedDataParallel) else model
        logits = model_unwrapped(outputs, attention_mask=full_mask)  # asked: TL231
        logp = torch.log_softmax(logits[:, :-1], -1).gather(-1, outputs[:, 1:].unsqueeze(-1)).squeeze(-1)
        advantages = torch.randn(4, 1, device=device)
        loss = -(advantages * logp).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


if __name__ == "__main__":
    dist.init_process_group(backend="nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local_rank)
    torch.cuda.set_device(device)
    model = Policy().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    model = DistributedDataParallel(model, device_ids=[local_rank])
    grpo_train_epoch(model, optimizer, 100, device)
    dist.destroy_process_group()
