import torch
from torch import nn


class KLDivTeacherList(nn.Module):
    def __init__(self):
        super(KLDivTeacherList, self).__init__()
        self.kl = torch.nn.KLDivLoss(reduction="batchmean")

    def forward(self, scores, labels):
        loss = self.kl(scores.log_softmax(-1), labels.softmax(-1))
        return loss


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.EmbeddingBag(100, 16)
        self.doc = nn.EmbeddingBag(100, 16)

    def forward(self, query, docs):
        q = self.query(query).unsqueeze(1)
        d = torch.stack([self.doc(docs[:, i]) for i in range(docs.shape[1])], 1)
        return (q * d).sum(-1)


if __name__ == "__main__":
    model, loss_fn = Ranker(), KLDivTeacherList()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for batch in range(3):
        scores = model(torch.randint(0, 100, (4, 6)), torch.randint(0, 100, (4, 5, 9)))
        loss = loss_fn(scores, torch.randn(4, 5))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
