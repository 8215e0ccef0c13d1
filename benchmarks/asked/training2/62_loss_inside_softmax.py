import torch
from torch import nn
from torch.nn import functional as F

MASTER_CONFIG = {"vocab_size": 65, "batch_size": 8, "context_window": 16}
dataset = torch.randint(0, MASTER_CONFIG["vocab_size"], (1000,), dtype=torch.int8)


def get_batches(data, split, batch_size, context_window, config=MASTER_CONFIG):
    train = data[: int(0.8 * len(data))]
    val = data[int(0.8 * len(data)):]
    batch_data = train
    if split == "val":
        batch_data = val
    ix = torch.randint(0, batch_data.size(0) - context_window - 1, (batch_size,))
    x = torch.stack([batch_data[i:i + context_window] for i in ix]).long()
    y = torch.stack([batch_data[i + 1:i + context_window + 1] for i in ix]).long()
    return x, y


class TinyModel(nn.Module):
    def __init__(self, config=MASTER_CONFIG):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config["vocab_size"], config["d_model"])
        self.linear = nn.Sequential(
            nn.Linear(config["d_model"], config["d_model"]),
            nn.ReLU(),
            nn.Linear(config["d_model"], config["vocab_size"]),
        )

    def forward(self, idx, targets=None):
        x = self.embedding(idx)
        a = self.linear(x)
        logits = F.softmax(a, dim=-1)
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, self.config["vocab_size"]), targets.view(-1))  # asked: TL301
            return logits, loss
        return logits


MASTER_CONFIG.update({"d_model": 32, "epochs": 4})
model = TinyModel(MASTER_CONFIG)
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(MASTER_CONFIG["epochs"]):
    optimizer.zero_grad()
    xs, ys = get_batches(dataset, "train", MASTER_CONFIG["batch_size"], MASTER_CONFIG["context_window"])
    logits, loss = model(xs, targets=ys)
    loss.backward()
    optimizer.step()
