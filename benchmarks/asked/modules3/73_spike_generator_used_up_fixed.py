import torch


def poisson(datum, time):
    return torch.bernoulli(datum.clamp(0, 1).expand(time, *datum.shape))


def poisson_loader(data, time):
    for i in range(len(data)):
        yield poisson(data[i], time)


images = torch.rand(50, 784)
labels = torch.randint(0, 10, (50,))

weights = torch.zeros(784, 100)
for epoch in range(3):
    data_loader = poisson_loader(images, time=20)
    for i in range(len(images)):
        sample = next(data_loader)
        spikes = (sample @ (weights + 0.01)).gt(0.5).float()
        weights += 0.001 * sample.t() @ spikes
    print("epoch", epoch, weights.mean().item())
