import string

import torch
import torch.nn as nn
import torch.nn.functional as F

vocabulary = string.ascii_lowercase + " "
hidden_size, input_length, num_layers, classes = 16, 12, 3, 4


class CNNModel(nn.Module):
    def __init__(self):
        super(CNNModel, self).__init__()
        self.relu = nn.ReLU()
        self.cnn = nn.Conv1d(len(vocabulary), hidden_size, 3, padding=1)
        self.cnns = nn.ModuleList(nn.Conv1d(hidden_size, hidden_size, 3, padding=1) for _ in range(num_layers - 1))
        self.fc = nn.Linear(hidden_size * input_length, classes)

    def forward(self, x):
        out = torch.einsum("lbv->bvl", x)
        out = self.relu(self.cnn(out))
        for cnn in self.cnns:
            out = self.relu(cnn(out))
        return self.fc(out.reshape(out.size(0), -1))


model = CNNModel()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=1e-4)
for step in range(3):
    names = torch.randn(input_length, 8, len(vocabulary))
    loss = criterion(model(names), torch.randint(0, classes, (8,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
