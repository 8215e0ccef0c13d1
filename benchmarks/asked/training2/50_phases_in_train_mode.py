import torch
from torch import nn


class Hourglass(nn.Module):
    def __init__(self, nstack=2, out_dim=4):
        super().__init__()
        self.pre = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU())
        self.outs = nn.ModuleList([nn.Conv2d(16, out_dim, 1) for _ in range(nstack)])

    def forward(self, imgs):
        x = self.pre(imgs)
        return torch.stack([out(x) for out in self.outs], 1)

    def calc_loss(self, preds, heatmaps):
        return torch.stack([((preds[:, i] - heatmaps) ** 2).mean() for i in range(len(self.outs))]).sum()


def make_network(configs):
    net = Hourglass()
    train_cfg = configs["train"]
    train_cfg["optimizer"] = torch.optim.Adam(net.parameters(), train_cfg["learning_rate"])
    configs["inference"]["net"] = net

    def make_train(batch_id, config, phase, imgs, heatmaps):
        net = config["inference"]["net"]
        config["batch_id"] = batch_id
        net = net.train()
        if phase != "inference":
            result = net(imgs)  # asked: TL208
            loss = net.calc_loss(result, heatmaps)
            if phase == "train":
                optimizer = train_cfg["optimizer"]
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            return loss.item()

    return make_train


def train(train_func, data, config, epochs=2):
    for epoch in range(epochs):
        for phase in ["train", "valid"]:
            total = 0.0
            for i, (imgs, heatmaps) in enumerate(data[phase]):
                total += train_func(i, config, phase, imgs, heatmaps)
            print(epoch, phase, total)


if __name__ == "__main__":
    config = {"train": {"learning_rate": 1e-3}, "inference": {}}
    func = make_network(config)
    data = {p: [(torch.randn(2, 3, 8, 8), torch.rand(2, 4, 8, 8)) for _ in range(2)] for p in ("train", "valid")}
    train(func, data, config)
