import torch
import torch.nn as nn
import torch.nn.functional as F


class Prototype(nn.Module):
    def __init__(self, proto_size, feature_dim, shrink_thres=0):
        super().__init__()
        self.proto_size = proto_size
        self.feature_dim = feature_dim
        self.shrink_thres = shrink_thres
        self.heads = nn.Linear(feature_dim, proto_size, bias=False)

    def get_score(self, pro, query):
        return F.softmax(query @ pro.transpose(1, 2), dim=2)

    def forward(self, key):
        b, d, h, w = key.size()
        query = key.permute(0, 2, 3, 1).reshape(b, h * w, d)
        weights = self.heads(query)
        weights = weights.view((b, h * w, self.memory_size, 1))  # asked: TL419
        weights = F.softmax(weights, dim=1)
        protos = (weights * query.unsqueeze(-2)).sum(1)
        score = self.get_score(protos, query)
        return torch.cat([query, score @ protos], dim=2)


class ConvAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.ReLU())
        self.prototype = Prototype(10, 16)

    def forward(self, x):
        return self.prototype(self.encoder(x))


if __name__ == "__main__":
    print(ConvAE()(torch.rand(2, 3, 16, 16)).shape)
