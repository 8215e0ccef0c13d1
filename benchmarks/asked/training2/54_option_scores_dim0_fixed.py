import torch
from torch import nn


class DiscriminativeDecoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.word_embed = nn.Embedding(args["vocab"], args["embed"])
        self.option_rnn = nn.LSTM(args["embed"], args["hidden"], batch_first=True)
        self.log_softmax = nn.LogSoftmax(dim=1)

    def forward(self, enc_out, options):
        batch, num_options, max_len = options.size()
        flat = options.view(batch * num_options, max_len)
        _, (h, _) = self.option_rnn(self.word_embed(flat))
        h = h[-1].view(batch, num_options, -1)
        scores = torch.bmm(h, enc_out.unsqueeze(2)).squeeze(2)
        return self.log_softmax(scores)


def main():
    decoder = DiscriminativeDecoder({"vocab": 30, "embed": 8, "hidden": 16})
    encoder = nn.Linear(10, 16)
    optimizer = torch.optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=1e-3)
    criterion = nn.NLLLoss()
    for _ in range(3):
        optimizer.zero_grad()
        out = decoder(encoder(torch.randn(4, 10)), torch.randint(0, 30, (4, 100, 6)))
        loss = criterion(out, torch.randint(0, 100, (4,)))
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
