import numpy as np
import torch
from torch import Tensor, nn


class WordEmbeddings(nn.Module):
    def __init__(self, words, dim=16):
        super().__init__()
        self.vocab = {word: i + 1 for i, word in enumerate(words)}
        self.table = nn.Embedding(len(words) + 1, dim, padding_idx=0)

    def encode(self, sentences):
        rows = []
        for sentence in sentences:
            ids = [self.vocab[word] for word in sentence.lower().split() if word in self.vocab]
            ids = torch.tensor(ids or [0])
            rows.append(self.table(ids).mean(0))
        with torch.no_grad():
            return torch.stack(rows).numpy()


def pytorch_cos_sim(a: Tensor, b: Tensor):
    if not isinstance(a, torch.Tensor):
        a = torch.tensor(a)
    if not isinstance(b, torch.Tensor):
        b = torch.tensor(b)
    if len(a.shape) == 1:
        a = a.unsqueeze(0)
    if len(b.shape) == 1:
        b = b.unsqueeze(0)
    a_norm = a / a.norm(dim=1)[:, None]  # asked: TL308
    b_norm = b / b.norm(dim=1)[:, None]  # asked: TL308
    return torch.mm(a_norm, b_norm.transpose(0, 1))


if __name__ == "__main__":
    model = WordEmbeddings(["a", "cat", "sat"])
    with torch.no_grad():
        embeddings = model.encode(["a cat sat", "qwertz"])
    print(pytorch_cos_sim(embeddings, np.ones(16, dtype=np.float32)))
