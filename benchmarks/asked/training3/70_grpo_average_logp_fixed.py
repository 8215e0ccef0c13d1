import torch
import torch.nn.functional as F
from torch import nn


def train(config):
    model = nn.Sequential(nn.Embedding(config["vocab"], 16), nn.Linear(16, config["vocab"]))
    optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"])
    for step in range(config["training_steps"]):
        optimizer.zero_grad()
        tokens = torch.randint(0, config["vocab"], (4, 11))
        labels = tokens[:, 1:].clone()
        labels[0] = -100
        advantages = torch.randn(4, 1)
        logits = model(tokens[:, :-1])
        logp_per_token = -F.cross_entropy(
            logits.view(-1, logits.size(-1)), labels.reshape(-1), reduction="none", ignore_index=-100
        ).view(labels.shape[0], -1)
        mask = (labels != -100).float()
        with torch.no_grad():
            pos = (advantages > 0).float()
            avg_logp = (logp_per_token * mask).sum(-1) / mask.sum(-1).clamp(min=1)
        grpo_loss = torch.exp(logp_per_token - logp_per_token.detach()) * -advantages
        loss = ((grpo_loss * mask).sum(-1) / mask.sum(-1).clamp(min=1e-8)).mean()
        loss.backward()
        optimizer.step()
        print(step, loss.item(), avg_logp.mean().item(), pos.sum().item())


train({"vocab": 30, "lr": 1e-5, "training_steps": 3})
