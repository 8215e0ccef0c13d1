import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class SceneNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(2, 8, 3, padding=1)
        self.semantic = nn.Conv2d(8, 4, 1)
        self.complete = nn.Conv2d(8, 2, 1)

    def forward(self, x):
        x = torch.relu(self.body(x))
        return {"semantic": self.semantic(x), "complete": self.complete(x)}

    def compute_loss(self, scores, data):
        semantic = nn.functional.cross_entropy(scores["semantic"], data["label"])
        complete = nn.functional.cross_entropy(scores["complete"], (data["label"] > 0).long())
        return {"total": semantic + complete, "semantic": semantic, "complete": complete}

    def get_train_losses(self):
        return ["total", "semantic", "complete"]


def train(model, optimizer, dset, epochs):
    for epoch in range(epochs):
        model.train()
        tbl_losses = {}
        for key in model.get_train_losses():
            tbl_losses[key] = 0
        for t, (image, label) in enumerate(dset):
            data = {"image": image, "label": label}
            scores = model(data["image"])
            loss = model.compute_loss(scores, data)
            optimizer.zero_grad()
            loss["total"].backward()
            optimizer.step()
            for key in tbl_losses:
                tbl_losses[key] += loss[key]  # asked: TL802
        for key in tbl_losses:
            print(epoch, key, tbl_losses[key] / len(dset))


if __name__ == "__main__":
    dset = DataLoader(TensorDataset(torch.randn(16, 2, 6, 6), torch.randint(0, 4, (16, 6, 6))), batch_size=4, shuffle=True)
    model = SceneNet()
    train(model, torch.optim.Adam(model.parameters(), lr=1e-3), dset, 2)
