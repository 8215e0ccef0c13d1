import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TaggerModel(nn.Module):
    def __init__(self, vocab, width, tags):
        super().__init__()
        self.bert = nn.Embedding(vocab, width)
        self.encoder_conv = nn.Linear(width, width)
        self.fc = nn.Linear(width, tags)

    def forward(self, tokens):
        x = self.bert(tokens)
        x = torch.tanh(self.encoder_conv(x))
        return self.fc(x)


class NERTrainer:
    def __init__(self, train_data, model, args):
        self.train_data = train_data
        self.model = model
        self.args = args
        self.multimodal_before_train()

    def multimodal_before_train(self):
        parameters = []
        params = {"lr": self.args["lr"], "weight_decay": 1e-2}
        params["params"] = []
        for name, param in self.model.named_parameters():
            if "bert" in name:
                params["params"].append(param)
        parameters.append(params)

        params = {"lr": self.args["lr"], "weight_decay": 1e-2}
        params["params"] = []
        for name, param in self.model.named_parameters():
            if "encoder_conv" in name:
                params["params"].append(param)
        parameters.append(params)

        params = {"lr": 5e-2, "weight_decay": 1e-2}
        params["params"] = []
        for name, param in self.model.named_parameters():
            if name.startswith("fc"):
                params["params"].append(param)
        self.optimizer = torch.optim.AdamW(parameters)  # asked: TL211

    def train(self):
        self.model.train()
        for epoch in range(1, self.args["num_epochs"] + 1):
            avg_loss = 0
            for tokens, labels in self.train_data:
                logits = self.model(tokens)
                loss = nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
                avg_loss += loss.detach().item()
                loss.backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
            print(epoch, avg_loss)


if __name__ == "__main__":
    data = TensorDataset(torch.randint(0, 30, (32, 6)), torch.randint(0, 5, (32, 6)))
    trainer = NERTrainer(DataLoader(data, batch_size=8, shuffle=True), TaggerModel(30, 16, 5), {"lr": 3e-5, "num_epochs": 2})
    trainer.train()
