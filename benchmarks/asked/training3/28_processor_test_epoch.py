import torch
import torch.nn as nn


class STAR(nn.Module):
    def __init__(self, dropout=0.1):
        super().__init__()
        self.embed = nn.Linear(2, 32)
        self.temporal = nn.TransformerEncoderLayer(32, 4, 64, dropout=dropout)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(32, 2)

    def forward(self, nodes):
        h = self.dropout(torch.relu(self.embed(nodes)))
        return self.output(self.temporal(h))


class processor:
    def __init__(self, args):
        self.args = args
        self.net = STAR()
        self.criterion = nn.MSELoss(reduction="none")
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=args["learning_rate"])
        self.trainbatch = [torch.randn(20, 5, 2) for _ in range(6)]
        self.testbatch = [torch.randn(20, 5, 2) for _ in range(2)]
        self.best_ade = 100

    def train(self):
        for epoch in range(self.args["num_epochs"]):
            self.net.train()
            train_loss = self.train_epoch(epoch)
            if epoch >= self.args["start_test"]:
                test_error = self.test_epoch()
                self.best_ade = min(test_error, self.best_ade)
                print(epoch, train_loss, test_error)

    def train_epoch(self, epoch):
        loss_epoch = 0.0
        for nodes in self.trainbatch:
            self.optimizer.zero_grad()
            outputs = self.net(nodes[:-1])
            loss = torch.mean(self.criterion(outputs, nodes[1:]).sum(2))
            loss_epoch += loss.item()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 10)
            self.optimizer.step()
        return loss_epoch / len(self.trainbatch)

    @torch.no_grad()
    def test_epoch(self):
        error_epoch, count = 0.0, 1e-5
        for nodes in self.testbatch:
            all_output = []
            for _ in range(3):
                outputs = self.net(nodes[:-1])  # asked: TL208
                all_output.append(outputs)
            error = torch.norm(torch.stack(all_output) - nodes[1:], p=2, dim=3)
            error_epoch += error.mean(1).min(0)[0].sum().item()
            count += nodes.size(1)
        return error_epoch / count


processor({"learning_rate": 0.0015, "num_epochs": 3, "start_test": 1}).train()
