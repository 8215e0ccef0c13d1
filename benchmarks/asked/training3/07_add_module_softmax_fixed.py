import numpy as np
import torch
from torch import optim


def build_model(input_dim, hidden, output_dim):
    model = torch.nn.Sequential()
    model.add_module("linear_1", torch.nn.Linear(input_dim, hidden))
    model.add_module("sigmoid_1", torch.nn.Sigmoid())
    model.add_module("linear_2", torch.nn.Linear(hidden, output_dim))
    return model


def train(model, loss, optimizer, x, y):
    optimizer.zero_grad()
    fx = model.forward(x)
    output = loss.forward(fx, y)
    output.backward()
    optimizer.step()
    return output.item()


def predict(model, x):
    output = model.forward(x)
    return output.detach().numpy().argmax(axis=1)


def main():
    torch.manual_seed(42)
    xs = torch.from_numpy(np.random.randn(200, 30).astype(np.float32))
    ys = torch.from_numpy(np.random.randint(0, 10, 200).astype(np.int64))
    model = build_model(30, 64, 10)
    loss = torch.nn.CrossEntropyLoss(reduction="mean")
    optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    batch_size = 50
    for i in range(3):
        cost = 0.0
        num_batches = len(xs) // batch_size
        for k in range(num_batches):
            start, end = k * batch_size, (k + 1) * batch_size
            cost += train(model, loss, optimizer, xs[start:end], ys[start:end])
        print("Epoch %d, cost = %f" % (i + 1, cost / num_batches))
    print(np.mean(predict(model, xs) == ys.numpy()))


if __name__ == "__main__":
    main()
