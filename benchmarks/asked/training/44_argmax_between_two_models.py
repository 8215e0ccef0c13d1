import torch
import torch.nn as nn


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(10, 5)

    def forward(self, x):
        return torch.softmax(self.layer(x), dim=1)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 1)

    def forward(self, x):
        return self.layer(x)


def main():
    first_model = Segmenter()
    second_model = Critic()
    optimizer = torch.optim.SGD(list(first_model.parameters()) + list(second_model.parameters()), lr=0.1)
    loss_fn = nn.MSELoss()
    for i in range(3):
        X = torch.randn(16, 10)
        target = torch.randn(16, 1)
        y_p = first_model(X)
        y_p = torch.max(y_p, 1)[1]  # asked: TL312
        y_p = y_p.float().unsqueeze(1)
        out = second_model(y_p)
        loss = loss_fn(out, target)
        first_model.zero_grad()
        second_model.zero_grad()
        loss.backward()
        optimizer.step()
        print(i, loss.item(), first_model.layer.weight.grad)


if __name__ == "__main__":
    main()
