import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(20, 32)
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(32, 3)

    def forward(self, x, labels=None):
        logits = self.head(self.dropout(torch.relu(self.encoder(x))))
        if labels is None:
            return logits
        return nn.functional.cross_entropy(logits, labels), logits


class ClassificationModel:
    def __init__(self, args):
        self.args = args
        self.model = Classifier()

    def train_model(self, train_data, eval_data):
        loader = DataLoader(train_data, batch_size=8, shuffle=True)
        self.train(loader, eval_data)

    def train(self, loader, eval_data):
        model = self.model
        args = self.args
        optimizer = torch.optim.AdamW(model.parameters(), lr=args["lr"])
        global_step = 0
        model.zero_grad()
        model.train()
        for epoch in range(args["epochs"]):
            for x, labels in loader:
                model.train()
                loss, _ = model(x, labels)
                loss.backward()
                optimizer.step()
                model.zero_grad()
                global_step += 1
                if args["evaluate_during_training"] and global_step % args["eval_steps"] == 0:
                    results = self.eval_model(eval_data)
                    print(global_step, results)

    def eval_model(self, data):
        loader = DataLoader(data, batch_size=16)
        return self.evaluate(loader)

    def evaluate(self, loader):
        model = self.model
        model.eval()
        right = total = 0
        for x, labels in loader:
            with torch.no_grad():
                logits = model(x)
            right += (logits.argmax(1) == labels).sum().item()
            total += len(labels)
        return {"acc": right / total}


args = {"lr": 1e-3, "epochs": 2, "evaluate_during_training": True, "eval_steps": 4}
train = TensorDataset(torch.randn(64, 20), torch.randint(0, 3, (64,)))
test = TensorDataset(torch.randn(32, 20), torch.randint(0, 3, (32,)))
ClassificationModel(args).train_model(train, test)
