import torch
import torch.nn as nn
from torch.nn import functional as F


class GPT(nn.Module):
    def __init__(self, vocab=40, dim=32, dropout=0.3):
        super().__init__()
        self.wte = nn.Embedding(vocab, dim)
        self.drop = nn.Dropout(dropout)
        self.ffn = nn.Sequential(nn.Linear(dim, 64), nn.GELU(), nn.Linear(64, dim))
        self.lm_head = nn.Linear(dim, vocab)

    def forward(self, idx, targets=None):
        x = self.drop(self.wte(idx))
        logits = self.lm_head(x + self.ffn(x))
        if targets is None:
            return logits
        return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))

    @torch.inference_mode()
    def get_next_token(self, idx):
        logits = self(idx)[:, -1, :]
        probs = F.softmax(logits, dim=-1)
        return torch.multinomial(probs, num_samples=1)


def load_model(path):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model = GPT()
    model.load_state_dict(checkpoint["model"])
    return model


@torch.inference_mode()
def estimate_loss(model, batches):
    losses = torch.zeros(len(batches))
    for k, (x, y) in enumerate(batches):
        losses[k] = model(x, y)
    return losses.mean().item()


def run_inference(model, timeline, steps=8):
    for _ in range(steps):
        token = model.get_next_token(timeline)
        timeline = torch.cat([timeline, token], dim=1)
    return timeline


if __name__ == "__main__":
    torch.save({"model": GPT().state_dict()}, "/tmp/r15_ethos.pt")
    model = load_model("/tmp/r15_ethos.pt")
    model.eval()
    batches = [(torch.randint(0, 40, (4, 10)), torch.randint(0, 40, (4, 10))) for _ in range(3)]
    print(estimate_loss(model, batches))
    print(run_inference(model, torch.randint(0, 40, (2, 4))))
