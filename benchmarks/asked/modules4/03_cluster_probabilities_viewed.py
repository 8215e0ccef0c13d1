import torch
import torch.nn as nn
import torch.nn.functional as F


class Segmenter(nn.Module):
    def __init__(self, channels=16, classes=5):
        super().__init__()
        self.feature = nn.Sequential(nn.Conv2d(3, channels, 3, padding=1), nn.ReLU())
        self.classifier = nn.Conv2d(channels, classes, 1)

    def forward(self, x):
        feat = self.feature(x)
        return feat, self.classifier(feat)


def cluster_probability(feat, centroids, temperature=0.1):
    b, d, h, w = feat.shape
    c = centroids.shape[0]
    pixels = F.normalize(feat.flatten(2).transpose(1, 2), dim=-1)
    similarity = torch.matmul(pixels, F.normalize(centroids, dim=-1).t())
    clu_probabilitys = F.softmax(similarity / temperature, dim=-1)
    return clu_probabilitys.view(b, c, h, w)  # asked: TL703


def adapt(model, batches, lr=1e-3):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for images in batches:
        feat, logits = model(images)
        with torch.no_grad():
            target = cluster_probability(feat, model.classifier.weight.flatten(1)).argmax(1)
        loss = F.cross_entropy(logits, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())


if __name__ == "__main__":
    adapt(Segmenter(), [torch.rand(2, 3, 12, 16) for _ in range(3)])
