import torch
import torch.nn.functional as F
from torch import nn, optim

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3)
        self.conv2 = nn.Conv2d(8, 16, 3)
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        return self.fc(F.relu(self.conv2(x)).mean((2, 3)))


class Quantizer:
    def __init__(self, model, lr=1e-4):
        self.model = model.to(device)
        self.weights = [p for n, p in model.named_parameters() if "conv" in n and p.dim() > 1]
        others = [p for n, p in model.named_parameters() if not ("conv" in n and p.dim() > 1)]
        self.factors = [torch.ones(2, requires_grad=True).to(device) for _ in range(len(self.weights))]
        self.optimizer = optim.Adam(others, lr=lr)
        self.optimizer_sf = optim.Adam(self.factors, lr=lr)  # asked: TL211

    def update(self, x, y):
        self.optimizer.zero_grad()
        self.optimizer_sf.zero_grad()
        loss = F.cross_entropy(self.model(x.to(device)), y.to(device))
        loss.backward()
        for factor, weight in zip(self.factors, self.weights):
            factor.grad = torch.stack([(weight.grad * (weight > 0)).sum(), (weight.grad * (weight < 0)).sum()])
        self.optimizer.step()
        self.optimizer_sf.step()
        return loss.item()


if __name__ == "__main__":
    print(Quantizer(Net()).update(torch.randn(4, 1, 12, 12), torch.tensor([1, 2, 3, 4])))
