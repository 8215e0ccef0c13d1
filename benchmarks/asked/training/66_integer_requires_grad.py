import torch


def loss_function(x):
    return (x ** 2 - 4 * x + 3).sum()


def gradient_descent(start, lr=0.1, steps=10):
    x = torch.tensor(start, requires_grad=True)
    for _ in range(steps):
        loss = loss_function(x)
        loss.backward()
        with torch.no_grad():
            x -= lr * x.grad
        x.grad.zero_()
    return x


start = [5, 1, -2]
print(gradient_descent(start))  # asked: TL112
