import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(torch.relu(self.conv(x)).mean((2, 3)))


class LitModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Encoder()

    def forward(self, x):
        return self.model(x)


def train_and_save(path):
    lit = LitModel()
    optimizer = torch.optim.SGD(lit.parameters(), lr=0.1)
    for _ in range(3):
        loss = lit(torch.randn(4, 3, 8, 8)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.save({"state_dict": lit.state_dict()}, path)


def load(path):
    model = Encoder()
    state_dict = torch.load(path, map_location="cpu")["state_dict"]
    state_dict = {k.removeprefix("model."): v for k, v in state_dict.items()}
    model.load_state_dict(state_dict)
    model.eval()
    return model


if __name__ == "__main__":
    train_and_save("/tmp/lit.ckpt")
    print(load("/tmp/lit.ckpt")(torch.randn(1, 3, 8, 8)))
