import torch

N, D, H = 64, 10, 1
X = torch.randn(N, D)
true_w = torch.randn(D, H)
Y = X @ true_w + 0.5

W = torch.randn(D, H, requires_grad=True)
b = torch.zeros(H, requires_grad=True)
learning_rate = 0.01


def forward(x):
    return x.mm(W) + b


def update():
    global W, b
    with torch.no_grad():
        W -= learning_rate * W.grad
        b -= learning_rate * b.grad
    W.grad.zero_()
    b.grad.zero_()


for epoch in range(20):
    y_pred = forward(X)
    loss = (y_pred - Y).pow(2).mean()
    loss.backward()
    update()
    if epoch % 5 == 0:
        print(epoch, loss.item())
