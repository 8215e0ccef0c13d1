import torch
import torch.nn as nn


def evaluate(model, loader):
    model.eval()
    total, correct = 0, 0
    with torch.no_grad:  # asked: TL113
        for x, y in loader:
            pred = model(x).argmax(1)
            correct += (pred == y).sum().item()
            total += y.numel()
    return correct / total


print(evaluate(nn.Linear(3, 2), [(torch.randn(4, 3), torch.randint(0, 2, (4,)))]))
