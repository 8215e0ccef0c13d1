import torch
import torch.nn as nn


class FeatureExtractor:
    def __init__(self, encoder, layers):
        self._encoder = encoder
        self._encoder.eval()
        self._features = {}
        for name, module in self._encoder.named_modules():
            if name in layers:
                module.register_forward_hook(self._hook(name))  # asked: TL115

    def _hook(self, name):
        def forward_hook(module, inputs, output):
            self._features.setdefault(name, []).append(output)

        return forward_hook

    def run(self, x):
        self._features.clear()
        self._encoder(x)
        return {name: outputs[-1] for name, outputs in self._features.items()}


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)

    def forward(self, x):
        return self.conv2(torch.relu(self.conv1(x)))


def reconstruct(encoder, target, steps=5):
    extractor = FeatureExtractor(encoder, ["conv1", "conv2"])
    image = torch.rand(1, 3, 16, 16, requires_grad=True)
    optimizer = torch.optim.Adam([image], lr=0.05)
    for _ in range(steps):
        features = extractor.run(image)
        loss = sum((features[name] - target[name]).pow(2).mean() for name in target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return image.detach()


if __name__ == "__main__":
    encoder = Encoder()
    for stimulus in range(4):
        target = {"conv1": torch.randn(1, 8, 16, 16), "conv2": torch.randn(1, 16, 16, 16)}
        reconstruct(encoder, target)
        print(stimulus, len(encoder.conv1._forward_hooks))
