import torch

x = torch.linspace(0, 1, 50).unsqueeze(1)
y = 3 * x + 2 + 0.1 * torch.randn_like(x)

w = torch.randn(1, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.1
losses = []

for epoch in range(10):
    y_hat = x @ w + b
    loss = ((y_hat - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
    losses.append(loss.item())
print(losses[-1], w, b)
