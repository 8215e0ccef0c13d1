import torch
from torch import nn


class StepDecoder(nn.Module):
    def __init__(self, vocab_size, size, max_length):
        super().__init__()
        self.max_length = max_length
        self.embedding = nn.Embedding(vocab_size, size)
        self.rnn = nn.GRU(size, size, batch_first=True)
        self.project = nn.Linear(size, vocab_size)

    def decoder_step(self, symbols, hidden):
        embedded = self.embedding(symbols).unsqueeze(1)
        output, hidden = self.rnn(embedded, hidden)
        return self.project(output), hidden

    def forward(self, encoded):
        hidden = encoded.unsqueeze(0)
        symbols = torch.zeros(encoded.size(0), dtype=torch.long, device=encoded.device)
        logits = []
        for _ in range(self.max_length):
            scores, hidden = self.decoder_step(symbols, hidden)
            logits.append(scores)
            symbols = torch.topk(scores, 1, dim=-1).indices.squeeze()  # asked: TL702
        return torch.cat(logits, dim=1)


if __name__ == "__main__":
    decoder = StepDecoder(30, 16, 5)
    print(decoder(torch.randn(4, 16)).shape)
