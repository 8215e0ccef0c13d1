import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

batch_size = 4
categories = ["O", "B-LOC", "I-LOC"]
categories_label2id = {k: i for i, k in enumerate(categories)}
device = "cuda" if torch.cuda.is_available() else "cpu"


class MyDataset(Dataset):
    def __init__(self, n):
        self.data = [(list(range(1, 6 + i % 4)), [1, 2, "LOC"]) for i in range(n)]

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i]


def sequence_padding(sequences):
    length = max(map(len, sequences))
    return np.array([list(s) + [0] * (length - len(s)) for s in sequences])


def collate_fn(batch):
    batch_token_ids, batch_labels = [], []
    for token_ids, (start, end, label) in batch:
        labels = np.zeros(len(token_ids))
        labels[start] = categories_label2id["B-" + label]
        labels[start + 1:end + 1] = categories_label2id["I-" + label]
        batch_token_ids.append(token_ids)
        batch_labels.append(labels)
    batch_token_ids = torch.tensor(sequence_padding(batch_token_ids), dtype=torch.long)
    batch_labels = torch.tensor(sequence_padding(batch_labels), dtype=torch.long)
    return batch_token_ids, batch_labels


if __name__ == "__main__":
    model = nn.Sequential(nn.Embedding(20, 16), nn.Linear(16, len(categories))).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    train_dataloader = DataLoader(MyDataset(32), batch_size=batch_size, shuffle=True, num_workers=2, collate_fn=collate_fn)
    for epoch in range(2):
        for token_ids, labels in train_dataloader:
            token_ids, labels = token_ids.to(device), labels.to(device)
            loss = nn.functional.cross_entropy(model(token_ids).flatten(0, 1), labels.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
