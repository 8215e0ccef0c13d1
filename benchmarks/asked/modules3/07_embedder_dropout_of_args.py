import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class Embedder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args

    def project(self, words):
        raise NotImplementedError

    def forward(self, words):
        out = self.project(words)
        if self.args.nonlin == "relu":
            out = F.relu(out)
        out = F.dropout(out, p=self.args.emb_dropout)  # asked: TL407
        return out


class CatEmbedder(Embedder):
    def __init__(self, args, n_tables, vocab):
        super().__init__(args)
        self.tables = nn.ModuleList([nn.Embedding(vocab, args.proj) for _ in range(n_tables)])

    def project(self, words):
        return torch.cat([table(words) for table in self.tables], -1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--emb_dropout", type=float, default=0.2)
    parser.add_argument("--nonlin", default="relu")
    parser.add_argument("--proj", type=int, default=16)
    args = parser.parse_args([])
    model = CatEmbedder(args, 3, 100)
    model.eval()
    words = torch.randint(0, 100, (2, 5))
    with torch.no_grad():
        print(torch.equal(model(words), model(words)))


if __name__ == "__main__":
    main()
