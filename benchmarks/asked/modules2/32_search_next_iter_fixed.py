import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class AverageMeter:
    def __init__(self):
        self.sum, self.cnt = 0.0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.cnt += n

    @property
    def avg(self):
        return self.sum / max(self.cnt, 1)


def train(epoch, train_queue, valid_queue, model, criterion, optimizer, max_step):
    objs = AverageMeter()
    for step, (input, target) in zip(range(max_step), train_queue):
        model.train()
        n = input.size(0)
        optimizer.zero_grad()
        logits = model(input)
        loss = criterion(logits, target)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimizer.step()
        objs.update(loss.item(), n)
        if step % 50 == 0:
            print(epoch, step, objs.avg)
    return objs.avg


def main():
    data = TensorDataset(torch.randn(256, 10), torch.randint(0, 5, (256,)))
    train_queue = DataLoader(data, batch_size=16, shuffle=True)
    valid_queue = DataLoader(data, batch_size=16)
    model = nn.Linear(10, 5)
    optimizer = torch.optim.SGD(model.parameters(), 0.025, momentum=0.9)
    for epoch in range(2):
        train(epoch, train_queue, valid_queue, model, nn.CrossEntropyLoss(), optimizer, len(train_queue))


if __name__ == "__main__":
    main()
