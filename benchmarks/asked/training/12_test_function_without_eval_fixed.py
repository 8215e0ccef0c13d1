import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class PointNet(nn.Module):
    def __init__(self, num_class):
        super(PointNet, self).__init__()
        self.conv1 = nn.Conv1d(3, 32, 1)
        self.bn1 = nn.BatchNorm1d(32)
        self.conv2 = nn.Conv1d(32, 64, 1)
        self.bn2 = nn.BatchNorm1d(64)
        self.fc = nn.Linear(64, num_class)
        self.drop = nn.Dropout(0.4)

    def forward(self, xyz):
        x = F.relu(self.bn1(self.conv1(xyz)))
        x = F.relu(self.bn2(self.conv2(x)))
        x = torch.max(x, 2)[0]
        return F.log_softmax(self.fc(self.drop(x)), dim=-1)


def test_model(model, loader):
    model = model.eval()
    total_correct = 0.0
    total_seen = 0.0
    for points, target in loader:
        points = points.transpose(2, 1)
        with torch.no_grad():
            pred = model(points)
        pred_choice = pred.max(1)[1]
        total_correct += pred_choice.eq(target).sum().item()
        total_seen += float(points.size(0))
    return total_correct / total_seen


def main(epochs=2):
    data = TensorDataset(torch.randn(40, 16, 3), torch.randint(0, 4, (40,)))
    train_loader = DataLoader(data, batch_size=8, shuffle=True)
    test_loader = DataLoader(data, batch_size=8, shuffle=False)
    model = PointNet(4)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
    for epoch in range(epochs):
        for batch_id, (points, target) in enumerate(train_loader):
            points = points.transpose(2, 1)
            optimizer.zero_grad()
            model = model.train()
            pred = model(points)
            loss = F.nll_loss(pred, target.long())
            loss.backward()
            optimizer.step()
        print("Epoch", epoch, "test accuracy", test_model(model, test_loader))


if __name__ == "__main__":
    main()
