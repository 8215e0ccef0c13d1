import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelCLR(nn.Module):
    def __init__(self, out_dim=32):
        super(ModelCLR, self).__init__()
        self.res = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.res_l1 = nn.Linear(16, 16)
        self.res_l2 = nn.Linear(16, out_dim)
        self.bert = nn.EmbeddingBag(200, 48)
        self.bert_l1 = nn.Linear(48, 48)
        self.bert_l2 = nn.Linear(48, out_dim)

    def image_encoder(self, xis):
        h = self.res(xis)
        return self.res_l2(F.relu(self.res_l1(h)))

    def text_encoder(self, tokens):
        x = self.bert_l1(self.bert(tokens))  # asked: TL106
        return self.bert_l2(F.relu(x))

    def forward(self, xis, tokens):
        zis = self.image_encoder(xis)
        with torch.no_grad():
            zls = self.text_encoder(tokens)
        return zis, zls


def nt_xent(zis, zls, temperature=0.1):
    zis, zls = F.normalize(zis, dim=1), F.normalize(zls, dim=1)
    logits = zis @ zls.t() / temperature
    targets = torch.arange(len(zis), device=zis.device)
    return 0.75 * F.cross_entropy(logits, targets) + 0.25 * F.cross_entropy(logits.t(), targets)


def train():
    model = ModelCLR()
    optimizer = torch.optim.Adam(model.parameters(), 1e-4, weight_decay=1e-6)
    for n_iter in range(4):
        xis, tokens = torch.randn(8, 3, 32, 32), torch.randint(0, 200, (8, 10))
        optimizer.zero_grad()
        zis, zls = model(xis, tokens)
        loss = nt_xent(zis, zls)
        loss.backward()
        optimizer.step()
        print(n_iter, loss.item())


if __name__ == "__main__":
    train()
