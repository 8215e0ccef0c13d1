import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    model = nn.Sequential(nn.Linear(12, 24), nn.Tanh(), nn.Dropout(0.1), nn.Linear(24, 2))
    optim = torch.optim.Adam(model.parameters(), lr=2e-5)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optim, lambda s: min(1.0, (s + 1) / 10))
    train_set = TensorDataset(torch.randn(80, 12), torch.randint(0, 2, (80,)))
    eval_set = TensorDataset(torch.randn(20, 12), torch.randint(0, 2, (20,)))
    iterator = DataLoader(train_set, batch_size=8, shuffle=True)

    def _compute_loss(logits, labels):
        return F.cross_entropy(logits, labels)

    def _train_epoch():
        model.train()
        for step, (x, labels) in enumerate(iterator):
            optim.zero_grad()
            logits = model(x)
            loss = _compute_loss(logits, labels)
            loss.backward()
            optim.step()
            scheduler.step()
            if step % 3 == 0:
                print("step", step, loss.item())
            if step % 4 == 0:
                _eval_epoch()
                model.train()

    @torch.no_grad()
    def _eval_epoch():
        model.eval()
        total, right = 0, 0
        for x, labels in DataLoader(eval_set, batch_size=10):
            preds = model(x).argmax(-1)
            right += (preds == labels).sum().item()
            total += len(labels)
        print("eval accu", right / total)

    for _ in range(2):
        _train_epoch()


main()
