import torch
import torch.nn as nn


class GeneralRecommender(nn.Module):
    def __init__(self):
        super().__init__()
        self.optimizer = None

    def _build_criterion(self, loss_type):
        if loss_type.upper() == "CL":
            return nn.BCEWithLogitsLoss(reduction="sum")
        if loss_type.upper() == "SL":
            return nn.MSELoss(reduction="sum")
        raise NotImplementedError(loss_type)

    def fit(self, train_loader):
        self.optimizer = torch.optim.Adam(self.parameters(), lr=self.lr)
        self.criterion = self._build_criterion(self.loss_type)
        for epoch in range(1, self.epochs + 1):
            self.train()
            current_loss = 0.0
            for batch in train_loader:
                self.zero_grad()
                loss = self.calc_loss(batch)
                if torch.isnan(loss):
                    raise ValueError("Loss=Nan or Infinity")
                loss.backward()
                self.optimizer.step()
                current_loss += loss.item()


class NFM(GeneralRecommender):
    def __init__(self, config):
        super().__init__()
        self.lr, self.epochs, self.loss_type = config["lr"], config["epochs"], config["loss_type"]
        self.embed_user = nn.Embedding(config["user_num"], config["factors"])
        self.embed_item = nn.Embedding(config["item_num"], config["factors"])
        self.deep = nn.Sequential(nn.Linear(config["factors"], 16), nn.ReLU())
        self.prediction = nn.Linear(16, 1, bias=False)

    def forward(self, user, item):
        fm = self.embed_user(user) * self.embed_item(item)
        pred = self.prediction(self.deep(fm)).view(-1)
        return torch.sigmoid(pred)

    def calc_loss(self, batch):
        user, pos = batch[0], batch[1]
        pos_pred = self.forward(user, pos)
        label = batch[2].float()
        loss = self.criterion(pos_pred, label)  # asked: TL302
        loss += 1e-4 * (self.embed_item.weight.norm() + self.embed_user.weight.norm())
        return loss


if __name__ == "__main__":
    data = [(torch.randint(0, 9, (8,)), torch.randint(0, 9, (8,)), torch.randint(0, 2, (8,))) for _ in range(3)]
    NFM({"lr": 1e-3, "epochs": 1, "loss_type": "CL", "user_num": 9, "item_num": 9, "factors": 8}).fit(data)
