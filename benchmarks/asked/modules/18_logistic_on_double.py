import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

X, y = make_classification(n_samples=6000, n_features=10, n_redundant=0, n_informative=2)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=42)
X_train = torch.from_numpy(X_train).double()
y_train = torch.from_numpy(y_train)
X_test = torch.from_numpy(X_test).double()
y_test = torch.from_numpy(y_test)


class OneLayer(nn.Module):
    def __init__(self, input_dimension, output_dimension):
        super(OneLayer, self).__init__()
        self.linear = nn.Linear(input_dimension, output_dimension)

    def forward(self, x):
        out = self.linear(x)  # asked: TL506
        return out


input_dim = 10
output_dim = 2
model = OneLayer(input_dim, output_dim)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)

for epoch in range(30):
    optimizer.zero_grad()
    outputs = model(X_train)
    loss = criterion(outputs, y_train)
    loss.backward()
    optimizer.step()
    print("epoch {}, loss {}".format(epoch, loss.item()))
