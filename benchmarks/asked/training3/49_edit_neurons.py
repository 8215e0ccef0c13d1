import torch
import torch.nn as nn


class Layer(nn.Module):
    def __init__(self, dim=16, hidden=32):
        super().__init__()
        self.intermediate = nn.Linear(dim, hidden)
        self.output = nn.Module()
        self.output.dense = nn.Linear(hidden, dim)

    def forward(self, x):
        return x + self.output.dense(torch.relu(self.intermediate(x)))


class Bert(nn.Module):
    def __init__(self, vocab=50, dim=16):
        super().__init__()
        self.embeddings = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList([Layer() for _ in range(3)])
        self.cls = nn.Linear(dim, vocab)

    def forward(self, ids):
        h = self.embeddings(ids)
        for layer in self.layers:
            h = layer(h)
        return self.cls(h)


def edit(model, neurons, ori, tgt, lambda_1=1.0, lambda_2=8.0):
    word_embeddings = model.embeddings.weight
    for layer, pos in neurons:
        model.layers[layer].output.dense.weight[:, pos] -= word_embeddings[ori] * lambda_1  # asked: TL103
        model.layers[layer].output.dense.weight[:, pos] += word_embeddings[tgt] * lambda_2


def main():
    model = Bert()
    model.eval()
    ids = torch.randint(0, 50, (1, 6))
    with torch.no_grad():
        before = model(ids).argmax(-1)
    edit(model, [(0, 3), (2, 7)], ori=4, tgt=9)
    with torch.no_grad():
        print((model(ids).argmax(-1) != before).sum())


main()
