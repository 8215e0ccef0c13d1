import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class WriterNet(nn.Module):
    """Convolutions of sizes 1 to max_size over the words of a text."""

    def __init__(self, embedding_dim, hidden_dim=20, dropout_rate=0.3, max_size=3, criterion=nn.L1Loss(), optimizer=optim.Adadelta):
        super(WriterNet, self).__init__()
        self.criterion = criterion
        self.optimizer = optimizer
        self.dropout = nn.Dropout(dropout_rate)
        self.max_size = max_size
        self.max_pool = lambda x: torch.max(x, dim=len(x.size()) - 2)[0]
        self.embedding_dim = embedding_dim
        self.hidden_dim = hidden_dim
        self.convs = [nn.Conv2d(1, 1, (i, 1)) for i in range(1, self.max_size + 1)]  # asked: TL402
        self.relu = nn.ReLU()
        self.linear1 = nn.Linear(embedding_dim * max_size, hidden_dim)
        self.linear2 = nn.Linear(hidden_dim, 1)

    def forward(self, x):
        z = x.unsqueeze(1)
        pooled = [self.max_pool(self.relu(conv(z))).squeeze(1) for conv in self.convs]
        z = torch.cat(pooled, dim=1)
        z = self.dropout(self.relu(self.linear1(z)))
        return self.linear2(z)

    def fit(self, batches, epochs=2):
        optimizer = self.optimizer(self.parameters())
        for epoch in range(epochs):
            for texts, scores in batches:
                optimizer.zero_grad()
                loss = self.criterion(self(texts), scores)
                loss.backward()
                optimizer.step()


net = WriterNet(embedding_dim=8)
net.fit([(torch.randn(4, 12, 8), torch.rand(4, 1)) for _ in range(3)])
torch.save(net.state_dict(), "/tmp/writer.pt")
print(list(net.state_dict()))
