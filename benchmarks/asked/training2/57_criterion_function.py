import torch
import torch.nn as nn
import torch.nn.functional as F


class Classifier(nn.Module):
    def __init__(self, dim=16, layers=2, drop=0.1):
        super().__init__()
        layer = nn.TransformerEncoderLayer(dim, 4, 32, drop, batch_first=True)
        self.transformer = nn.TransformerEncoder(layer, layers)
        self.classifier = nn.Linear(dim, 1)
        self.sigmoid = nn.Sigmoid()

    def forward(self, raw, gnn, mask):
        out = self.transformer(raw + gnn)
        mask = mask.unsqueeze(-1)
        mean_output = (out * mask).sum(1) / mask.sum(1).clamp(min=1)
        logits = self.classifier(mean_output)
        logits = self.sigmoid(logits).squeeze()
        return logits


def criterion(logits, labels):
    loss_classify = F.binary_cross_entropy_with_logits(logits, labels, reduction="none")  # asked: TL302
    return torch.mean(loss_classify)


class Runner:
    def __init__(self, lr=1e-3):
        self.gnn = nn.Linear(16, 16)
        self.model = Classifier()
        self.optimizer = torch.optim.Adam([*self.gnn.parameters(), *self.model.parameters()], lr=lr)

    def run(self, batches, epochs=1):
        for epoch in range(epochs):
            self.model.train()
            for x, mask, labels in batches:
                logits = self.model(x, self.gnn(x), mask)
                loss = criterion(logits, labels)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()


if __name__ == "__main__":
    Runner().run([(torch.randn(4, 6, 16), torch.ones(4, 6), torch.rand(4).round()) for _ in range(2)])
