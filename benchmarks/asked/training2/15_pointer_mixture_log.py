import torch
from torch import nn


class PointerGenerator(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.vocab_out = nn.Linear(hidden, vocab)
        self.copy_out = nn.Linear(hidden, vocab)
        self.switch = nn.Linear(hidden, 1)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, tokens):
        h, _ = self.rnn(self.embed(tokens))
        h = h[:, -1]
        p = torch.sigmoid(self.switch(h))
        return p * self.softmax(self.vocab_out(h)) + (1 - p) * self.softmax(self.copy_out(h))


model = PointerGenerator(50, 16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
crit = nn.NLLLoss()
for step in range(10):
    tokens = torch.randint(0, 50, (8, 12))
    target = torch.randint(0, 50, (8,))
    optimizer.zero_grad()
    loss = crit(torch.log(model(tokens)), target)  # asked: TL307
    loss.backward()
    optimizer.step()
