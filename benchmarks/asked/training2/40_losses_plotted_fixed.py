import matplotlib.pyplot as plt
import torch

x = torch.rand(50)
y = 3.0 * x + 0.5 + 0.05 * torch.randn(50)
a = torch.randn(1, requires_grad=True)
b = torch.randn(1, requires_grad=True)
lr = 0.1
epochs = range(100)
losses, slopes = [], []
for epoch in epochs:
    pred = a * x + b
    loss = ((pred - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        a -= lr * a.grad
        b -= lr * b.grad
    a.grad.zero_()
    b.grad.zero_()
    losses.append(loss.item())
    slopes.append(a.item())

plt.subplot(1, 2, 1)
plt.plot(epochs, losses)
plt.xlabel("Epoch")
plt.ylabel("Loss")
plt.subplot(1, 2, 2)
plt.plot(epochs, slopes)
plt.show()
