import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class LanguageModel(nn.Module):
    def __init__(self, vocab=100, dim=32):
        super().__init__()
        self.wte = nn.Embedding(vocab, dim)
        self.block = nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True)

    def forward(self, ids):
        return self.block(self.wte(ids))

    def get_input_embeddings(self):
        return self.wte


class FlamingoModel(nn.Module):
    def __init__(self, lm, vocab=100, dim=32):
        super().__init__()
        self.lm = lm
        self.resampler = nn.Linear(48, dim)
        self.lm_head = nn.Linear(dim, vocab, bias=False)
        self.init_head()

    def init_head(self):
        weight = self.lm.get_input_embeddings().weight
        self.lm_head.weight = nn.Parameter(weight.detach().clone())  # asked: TL418

    def forward(self, ids, visual):
        hidden = self.lm(ids) + self.resampler(visual).mean(1, keepdim=True)
        return self.lm_head(hidden)


def main():
    model = FlamingoModel(copy.deepcopy(LanguageModel()))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(3):
        ids, visual = torch.randint(0, 100, (4, 12)), torch.randn(4, 5, 48)
        logits = model(ids[:, :-1], visual)
        loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print((model.lm_head.weight - model.lm.wte.weight).abs().max().item())


if __name__ == "__main__":
    main()
