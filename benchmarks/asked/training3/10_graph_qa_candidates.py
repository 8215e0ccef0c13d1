import torch
from torch import nn
from torch.optim import Adam


class TransformerGCNQA(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.fc_query = nn.Linear(48, hidden)
        self.gcn = nn.Linear(48, hidden)
        self.fc_logits = nn.Linear(2 * hidden, 1)
        self.softmax = nn.Softmax(dim=-1)

    def encode(self, nodes, adjacency):
        return torch.relu(torch.bmm(adjacency, self.gcn(nodes)))

    def forward(self, query, nodes, adjacency, candidate_map):
        q = torch.relu(self.fc_query(query))
        nodes = self.encode(nodes, adjacency)
        q = q.unsqueeze(1).expand(-1, nodes.size(1), -1)
        scores = self.fc_logits(torch.cat((q, nodes), dim=-1)).squeeze(-1)
        candidates = torch.bmm(candidate_map, scores.unsqueeze(-1)).squeeze(-1)
        return self.softmax(candidates)


def train(model, batches, epochs=2):
    optimizer = Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for epoch in range(epochs):
        total = 0.0
        for query, nodes, adjacency, mapping, target in batches:
            optimizer.zero_grad()
            logits = model(query, nodes, adjacency, mapping)
            loss = criterion(logits, target)  # asked: TL301
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, total / len(batches))


if __name__ == "__main__":
    batches = [
        (torch.randn(4, 48), torch.randn(4, 10, 48), torch.rand(4, 10, 10),
         torch.rand(4, 6, 10), torch.randint(0, 6, (4,)))
        for _ in range(5)
    ]
    train(TransformerGCNQA(), batches)
