import torch as th
import torch.nn.functional as F

WORD_SIZE = 50


class SentenceNet(th.nn.Module):
    def __init__(self):
        super(SentenceNet, self).__init__()

        self.convs = th.nn.ModuleList([
            th.nn.Conv1d(WORD_SIZE, 8, 3),
            th.nn.Conv1d(WORD_SIZE, 8, 4),
            th.nn.Conv1d(WORD_SIZE, 8, 5),
        ])
        self.out = th.nn.Linear(24, 2)

    def forward(self, words):
        pooled = []
        for i in range(3):
            h = F.relu(self.convs[i](words))
            pooled.append(F.max_pool1d(h, h.size(2)).squeeze(2))
        return self.out(th.cat(pooled, 1))


net = SentenceNet()
if th.cuda.is_available():
    net.cuda()
print(net(th.randn(4, WORD_SIZE, 20).to(next(net.parameters()).device)).shape)
