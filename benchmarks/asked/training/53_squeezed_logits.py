import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FeedForwardBlock(nn.Module):
    def __init__(self, layer_dims):
        super().__init__()
        self.feed_forward = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(layer_dims[:-1], layer_dims[1:])])

    def forward(self, x):
        return self.feed_forward(x)


class RegressionHead(nn.Module):
    def __init__(self, layer_dims=(16, 1)):
        super().__init__()
        self.feed_forward = FeedForwardBlock(layer_dims)
        self.loss_fct = nn.MSELoss(reduction="none")

    def forward(self, x):
        logits = self.feed_forward(x)
        return logits.squeeze(-1)

    def logits_to_loss(self, logits, label_ids):
        return self.loss_fct(logits, label_ids.float())  # asked: TL311


class AdaptiveModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.language_model = nn.EmbeddingBag(50, 16)
        self.head = RegressionHead([16, 1])

    def forward(self, tokens):
        return self.head(self.language_model(tokens))


if __name__ == "__main__":
    data = TensorDataset(torch.randint(0, 50, (32, 7)), torch.rand(32, 1) * 16)
    model = AdaptiveModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(2):
        for tokens, label_ids in DataLoader(data, batch_size=8, shuffle=True):
            logits = model(tokens)
            per_sample_loss = model.head.logits_to_loss(logits, label_ids)
            loss = per_sample_loss.mean()
            loss.backward()
            optimizer.step()
            model.zero_grad()
        print(epoch, loss.item())
