import torch
from torch import Tensor, nn
import torch.nn.functional as F


def euclidean_sim(a: Tensor, b: Tensor) -> Tensor:
    return -torch.cdist(a, b, p=2.0)


def pairwise_euclidean_sim(a: Tensor, b: Tensor) -> Tensor:
    return -torch.linalg.vector_norm(a - b, dim=-1)


class Encoder(nn.Module):
    def __init__(self, vocab=50, dim=16):
        super().__init__()
        self.table = nn.EmbeddingBag(vocab, dim)
        self.dense = nn.Linear(dim, dim)

    def forward(self, ids):
        return torch.tanh(self.dense(self.table(ids)))


class TripletLoss(nn.Module):
    def __init__(self, model, triplet_margin=5.0):
        super().__init__()
        self.model, self.triplet_margin = model, triplet_margin

    def forward(self, features):
        anchor, positive, negative = [self.model(ids) for ids in features]
        distance_pos = -pairwise_euclidean_sim(anchor, positive)
        distance_neg = -pairwise_euclidean_sim(anchor, negative)
        return F.relu(distance_pos - distance_neg + self.triplet_margin).mean()


def main():
    torch.manual_seed(0)
    model = Encoder()
    loss_model = TripletLoss(model)
    optimizer = torch.optim.AdamW(loss_model.parameters(), lr=2e-3)
    for _ in range(3):
        anchor, negative = torch.randint(50, (8, 5)), torch.randint(50, (8, 5))
        positive = anchor.clone()
        loss = loss_model([anchor, positive, negative])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item(), model.dense.weight.grad.isnan().any().item())


if __name__ == "__main__":
    main()
