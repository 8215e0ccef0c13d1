import torch
import torch.nn.functional as F
from torch import nn


class PolicyTrainer:
    def __init__(self, vocab=50, dim=16):
        self.model = nn.Sequential(nn.Embedding(vocab, dim), nn.Linear(dim, vocab))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-5)

    def logprobs(self, ids):
        logits = self.model(ids)
        return torch.log_softmax(logits, -1).gather(-1, ids.unsqueeze(-1)).squeeze(-1)

    def train_step(self, ids, advantages, ref):
        logp = self.logprobs(ids)
        kl = torch.exp(ref - logp) - (ref - logp) - 1
        per_token = torch.exp(logp - logp.detach()) * advantages
        loss = -(per_token - 0.1 * kl).mean()
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.item()


def main():
    trainer = PolicyTrainer()
    for step in range(10):
        ids = torch.randint(0, 50, (4, 12))
        advantages = torch.randn(4, 1)
        ref = torch.randn(4, 12)
        print(step, trainer.train_step(ids, advantages, ref))


main()
