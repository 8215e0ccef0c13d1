import torch
import torch.nn as nn


class GPTModel(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.tok_emb = nn.Embedding(vocab, width)
        self.out_head = nn.Linear(width, vocab, bias=False)

    def forward(self, ids):
        return self.out_head(self.tok_emb(ids))


def train(model, optimizer, steps):
    for step in range(steps):
        ids = torch.randint(0, 100, (4, 9))
        optimizer.zero_grad()
        logits = model(ids[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        loss.backward()
        optimizer.step()


def main():
    torch.manual_seed(123)
    model = GPTModel(100, 16)
    model = torch.compile(model, backend="eager")
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
    train(model, optimizer, 3)
    torch.save(model._orig_mod.state_dict(), "model.pth")

    model = GPTModel(100, 16)
    model.load_state_dict(torch.load("model.pth", weights_only=True))


if __name__ == "__main__":
    main()
