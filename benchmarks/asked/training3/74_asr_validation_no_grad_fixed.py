import torch
import torch.nn as nn
import torch.nn.functional as F


def calculate_metrics(pred, gold):
    loss = F.cross_entropy(pred.view(-1, pred.size(-1)), gold.view(-1))
    return loss, (pred.argmax(-1) == gold).sum().item()


class Trainer:
    def __init__(self):
        print("Trainer is initialized")

    def train(self, model, train_loader, valid_loader_list, opt, num_epochs):
        history = []
        best_valid_loss = 1e9
        for epoch in range(num_epochs):
            total_loss, total_correct = 0, 0
            model.train()
            for i, (src, tgt) in enumerate(train_loader):
                opt.zero_grad()
                pred = model(src)
                loss, num_correct = calculate_metrics(pred, tgt)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 400)
                opt.step()
                total_loss += loss.item()
                total_correct += num_correct
            model.eval()
            for ind, valid_loader in enumerate(valid_loader_list):
                total_valid_loss, total_valid_correct = 0, 0
                for i, (src, tgt) in enumerate(valid_loader):
                    with torch.no_grad():
                        pred = model(src)
                    loss, num_correct = calculate_metrics(pred, tgt)
                    total_valid_loss += loss.item()
                    total_valid_correct += num_correct
                print("VALID SET {} loss {:.4f}".format(ind, total_valid_loss / len(valid_loader)))
            if best_valid_loss > total_valid_loss:
                best_valid_loss = total_valid_loss
            history.append((total_loss, total_valid_loss))
        return history


model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 12))
loader = [(torch.randn(2, 9, 16), torch.randint(0, 12, (2, 9))) for _ in range(3)]
print(Trainer().train(model, loader, [loader, loader], torch.optim.Adam(model.parameters()), 2))
