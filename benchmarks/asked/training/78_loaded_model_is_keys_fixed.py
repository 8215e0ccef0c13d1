import os
import tempfile

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


def save(path):
    torch.save(Net().state_dict(), path)


def load_model(path):
    device = torch.device("cpu")
    model = Net()
    model.load_state_dict(torch.load(path, map_location=device))
    model.eval()
    return model


def predict(path, x):
    model = load_model(path)
    with torch.no_grad():
        return model(x).argmax(1)


if __name__ == "__main__":
    path = os.path.join(tempfile.mkdtemp(), "net.pt")
    save(path)
    print(predict(path, torch.randn(3, 4)))
