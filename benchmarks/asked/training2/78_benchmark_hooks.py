import torch
from torch import nn


class ActivationHook:
    def __init__(self, layer):
        self.activation_outputs = []
        if layer is not None:
            self.hook = layer.register_forward_hook(self.hook_fn)

    def hook_fn(self, layer, input, output):
        self.activation_outputs.append(output)

    def reset(self):
        self.activation_outputs = []

    def close(self):
        self.hook.remove()


class Benchmark:
    def __init__(self, model, dataloader):
        self.model, self.dataloader = model, dataloader

    def run(self):
        hooks = []
        for layer in self.model.modules():
            if isinstance(layer, nn.ReLU):
                layer.register_forward_hook(lambda m, i, o: hooks.append((o > 0).float().mean()))  # asked: TL115
        right = 0
        with torch.no_grad():
            for data in self.dataloader:
                right += (self.model(data[0]).argmax(1) == data[1]).sum().item()
        return right


if __name__ == "__main__":
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    data = [(torch.randn(4, 8), torch.randint(0, 4, (4,))) for _ in range(3)]
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        net.train()
        for x, y in data:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        print(epoch, Benchmark(net, data).run())
