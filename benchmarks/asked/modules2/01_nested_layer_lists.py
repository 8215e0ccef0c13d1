import torch
from torch import nn, optim


class Tower(nn.Module):
    def __init__(self, options):
        super().__init__()
        in_dim = options["n_in"]
        self.hids = []  # asked: TL402
        for li in range(options["n_layers"]):
            self.hids.append([nn.Linear(in_dim, options["n_hid"]), getattr(nn, options["act"])()])
            in_dim = options["n_hid"]
        self.classifier = nn.Linear(in_dim, 3)

    def forward(self, x):
        for linear, act in self.hids:
            x = act(linear(x))
        return self.classifier(x)


def main():
    options = {"n_in": 10, "n_hid": 16, "n_layers": 3, "act": "Tanh"}
    model = Tower(options)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    x, y = torch.randn(32, 10), torch.randint(0, 3, (32,))
    for step in range(20):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        print(step, loss.item(), len(list(model.parameters())))


if __name__ == "__main__":
    main()
