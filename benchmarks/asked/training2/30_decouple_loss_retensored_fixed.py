import torch
import torch.nn as nn
import torch.nn.functional as F


class Cell(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gates = nn.Conv2d(2 * dim, 2 * dim, 3, padding=1)

    def forward(self, x, h):
        delta_c, delta_m = torch.tanh(self.gates(torch.cat([x, h], 1))).chunk(2, 1)
        return h + delta_c * delta_m, delta_c, delta_m


class RNN(nn.Module):
    def __init__(self, dim=8, decouple_beta=0.1):
        super().__init__()
        self.embed = nn.Conv2d(1, dim, 3, padding=1)
        self.cell = Cell(dim)
        self.adapter = nn.Conv2d(dim, dim, 1, bias=False)
        self.out = nn.Conv2d(dim, 1, 1)
        self.beta = decouple_beta
        self.criterion = nn.MSELoss()

    def forward(self, frames):
        h = torch.zeros(frames.size(0), 8, *frames.shape[-2:])
        preds, decouple_loss = [], []
        for t in range(frames.size(1) - 1):
            h, delta_c, delta_m = self.cell(self.embed(frames[:, t]), h)
            c = F.normalize(self.adapter(delta_c).flatten(2), dim=2)
            m = F.normalize(self.adapter(delta_m).flatten(2), dim=2)
            decouple_loss.append(torch.mean(torch.abs(torch.cosine_similarity(c, m, dim=2))))
            preds.append(self.out(h))
        decouple_loss = torch.mean(torch.stack(decouple_loss, dim=0))
        preds = torch.stack(preds, dim=1)
        return preds, self.criterion(preds, frames[:, 1:]) + self.beta * decouple_loss


class Model:
    def __init__(self):
        self.network = RNN()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-3)

    def train(self, frames):
        self.optimizer.zero_grad()
        preds, loss = self.network(frames)
        loss.backward()
        self.optimizer.step()
        return loss.detach().numpy()


if __name__ == "__main__":
    model = Model()
    for itr in range(2):
        print(itr, model.train(torch.randn(2, 5, 1, 8, 8)))
