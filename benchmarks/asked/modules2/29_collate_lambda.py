import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Conversations(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        return {"input_ids": torch.randint(0, 100, (12,)), "labels": torch.randint(0, 100, (12,))}


def train(epochs=1, lr=1e-3):
    model = nn.Sequential(nn.Embedding(100, 16), nn.Linear(16, 100))
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    dataset = Conversations(16)
    dataloader = DataLoader(
        dataset,
        batch_size=1,
        shuffle=True,
        collate_fn=lambda x: x[0],  # asked: TL603
        num_workers=1,
        multiprocessing_context="spawn",
    )
    for epoch in range(epochs):
        for batch in dataloader:
            loss = nn.functional.cross_entropy(model(batch["input_ids"]), batch["labels"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    train()
