# %%
import torch

num_samples = 400
num_features = 2
num_hiddens = 2
X = torch.randn((num_samples, num_features), dtype=torch.float32)
true_W = torch.randn((num_hiddens, 1), dtype=torch.float32)
true_b = torch.randn(1, dtype=torch.float32)
Y = torch.mm(X, true_W) + true_b


# %%
def data_iter(X, Y, batch_size):
    order = torch.randperm(len(X))
    for i in range(0, len(X), batch_size):
        pick = order[i:i + batch_size]
        yield X[pick], Y[pick]


def fc(x, w, b):
    return torch.mm(x, w) + b


def squared_loss(y_hat, y):
    return ((y_hat - y.reshape(y_hat.shape)) ** 2).sum() / 2


def sgd(params, lr, batch_size):
    with torch.no_grad():
        for param in params:
            param -= lr * param.grad / batch_size
            param.grad.zero_()


# %%
W = torch.normal(0, 0.01, size=(num_hiddens, 1), requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for epoch in range(3):
    for x, y in data_iter(X, Y, 20):
        l = squared_loss(fc(x, W, b), y)
        l.backward()
        sgd([W, b], 0.01, 20)
    print(epoch + 1, l.item())
