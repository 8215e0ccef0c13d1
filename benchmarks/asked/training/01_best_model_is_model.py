import random
import time

import torch
import torch.nn as nn


class CodeClassifier(nn.Module):
    def __init__(self, vocab, width, labels):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, labels)

    def forward(self, tokens):
        states, _ = self.gru(self.embedding(tokens))
        return self.out(states.max(1)[0])


def get_batch(data, idx, bs):
    chunk = data[idx:idx + bs]
    tokens = torch.stack([tokens for tokens, _ in chunk])
    labels = torch.tensor([label for _, label in chunk])
    return tokens, labels


if __name__ == "__main__":
    EPOCHS, BATCH_SIZE = 3, 8
    pool = [(torch.randint(0, 50, (12,)), random.randrange(4)) for _ in range(64)]
    train_data, val_data, test_data = pool[:40], pool[40:52], pool[52:]
    model = CodeClassifier(50, 16, 4)
    optimizer = torch.optim.Adamax(model.parameters())
    loss_function = nn.CrossEntropyLoss()

    best_acc = 0.0
    best_model = model
    for epoch in range(EPOCHS):
        start_time = time.time()
        total_acc = total = 0.0
        i = 0
        model.train()
        while i < len(train_data):
            tokens, labels = get_batch(train_data, i, BATCH_SIZE)
            i += BATCH_SIZE
            model.zero_grad()
            output = model(tokens)
            loss = loss_function(output, labels)
            loss.backward()
            optimizer.step()

        total_acc = total = 0.0
        i = 0
        model.eval()
        with torch.no_grad():
            while i < len(val_data):
                tokens, labels = get_batch(val_data, i, BATCH_SIZE)
                i += BATCH_SIZE
                output = model(tokens)
                total_acc += (output.argmax(1) == labels).sum().item()
                total += len(labels)
        if total_acc / total > best_acc:
            best_acc = total_acc / total
            best_model = model  # asked: TL216
        print(epoch, total_acc / total, time.time() - start_time)

    model = best_model
    model.eval()
    with torch.no_grad():
        tokens, labels = get_batch(test_data, 0, len(test_data))
        print("test", (model(tokens).argmax(1) == labels).float().mean().item())
