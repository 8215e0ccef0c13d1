import numpy as np
import torch
from torch import nn


def future_mask(size):
    mask = np.triu(np.ones((1, size, size)), k=1).astype("uint8")
    return torch.from_numpy(mask == 0).cuda()


def create_masks(src, trg, pad):
    src_mask = (src != pad).unsqueeze(-2)
    trg_mask = (trg != pad).unsqueeze(-2)
    np_mask = future_mask(trg.size(1))
    trg_mask = trg_mask & np_mask  # asked: TL504
    return src_mask, trg_mask


class Decoder(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.attend = nn.MultiheadAttention(width, 1, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, trg, mask):
        x = self.embed(trg)
        x, _ = self.attend(x, x, x, attn_mask=~mask)
        return self.out(x)


def train(model, loader, optimizer, epochs, pad=0):
    model.train()
    for epoch in range(epochs):
        for src, trg in loader:
            trg_input = trg[:, :-1]
            src_mask, trg_mask = create_masks(src, trg_input, pad)
            preds = model(trg_input.cuda(), trg_mask.cuda())
            loss = nn.functional.cross_entropy(preds.view(-1, preds.size(-1)), trg[:, 1:].reshape(-1).cuda(), ignore_index=pad)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


data = torch.utils.data.TensorDataset(torch.randint(0, 50, (64, 9)), torch.randint(0, 50, (64, 9)))
loader = torch.utils.data.DataLoader(data, batch_size=8, shuffle=True)
model = Decoder(50, 16).cuda()
train(model, loader, torch.optim.Adam(model.parameters()), 2)
