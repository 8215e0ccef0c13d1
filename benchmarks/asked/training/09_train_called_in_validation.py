import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Fusion(nn.Module):
    def __init__(self, encoders, head):
        super().__init__()
        self.encoders = nn.ModuleList(encoders)
        self.head = head

    def forward(self, inputs):
        outs = [encoder(x) for encoder, x in zip(self.encoders, inputs)]
        return self.head(torch.cat(outs, dim=1))


def train(encoders, head, train_loader, valid_loader, total_epochs, lr=1e-3):
    model = Fusion(encoders, head)
    criterion = nn.CrossEntropyLoss()
    op = torch.optim.RMSprop(model.parameters(), lr=lr)
    bestacc = 0
    for epoch in range(total_epochs):
        totalloss = 0.0
        model.train()
        for a, b, y in train_loader:
            op.zero_grad()
            out = model([a, b])
            loss = criterion(out, y)
            loss.backward()
            op.step()
            totalloss += loss.item()
        print("Epoch", epoch, "train loss", totalloss)
        model.eval()
        with torch.no_grad():
            valloss, pred, true = 0.0, [], []
            for a, b, y in valid_loader:
                model.train()
                out = model([a, b])  # asked: TL208
                valloss += criterion(out, y).item()
                pred.append(out.argmax(1))
                true.append(y)
            acc = (torch.cat(pred) == torch.cat(true)).float().mean().item()
        if acc > bestacc:
            bestacc = acc
            torch.save(model.state_dict(), "/tmp/r13_best.pt")
    return bestacc


if __name__ == "__main__":
    encoders = [nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Dropout(0.3)), nn.Sequential(nn.Linear(4, 8), nn.ReLU())]
    head = nn.Linear(16, 3)
    data = TensorDataset(torch.randn(64, 6), torch.randn(64, 4), torch.randint(0, 3, (64,)))
    print(train(encoders, head, DataLoader(data, 16, shuffle=True), DataLoader(data, 16), 2))
