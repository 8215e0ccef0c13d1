import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Classifier(nn.Module):
    def __init__(self, n_label):
        super().__init__()
        self.hidden_to_softmax = nn.Linear(16, n_label)

    def forward(self, x):
        return self.hidden_to_softmax(F.relu(x))


def train(sentences, labels, device="cpu", batch_size=8, epochs=2):
    n_label = int(labels.max()) + 1
    counts = np.bincount(labels, minlength=n_label)
    train_label_weight = torch.tensor(len(labels) / (n_label * counts), device=device)
    model = Classifier(n_label)
    model = model.to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    cn_loss = torch.nn.CrossEntropyLoss(weight=train_label_weight, reduction="mean")

    model.train()
    for epoch in range(epochs):
        for start in range(0, len(labels), batch_size):
            sents = torch.from_numpy(sentences[start : start + batch_size]).float().to(device)
            targets = torch.tensor(labels[start : start + batch_size], dtype=torch.long, device=device)
            optimizer.zero_grad()
            pre_softmax = model(sents)
            loss = cn_loss(pre_softmax, targets)  # asked: TL506
            loss.backward()
            optimizer.step()


train(np.random.randn(64, 16), np.random.randint(0, 3, 64))
