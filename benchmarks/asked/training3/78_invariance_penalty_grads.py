import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import autograd


class Algorithm(torch.nn.Module):
    def __init__(self, input_shape, num_classes, hparams):
        super(Algorithm, self).__init__()
        self.hparams = hparams
        self.featurizer = nn.Sequential(nn.Linear(input_shape, 16), nn.ReLU())
        self.classifier = nn.Linear(16, num_classes)
        self.network = nn.Sequential(self.featurizer, self.classifier)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=hparams["lr"])

    def predict(self, x):
        return self.network(x)


class IGA(Algorithm):
    def update(self, minibatches, unlabeled=False):
        total_loss = 0
        grads = []
        for i, (x, y) in enumerate(minibatches):
            logits = self.network(x)
            env_loss = F.cross_entropy(logits, y)
            total_loss += env_loss
            env_grad = autograd.grad(env_loss, self.network.parameters(), retain_graph=True)
            grads.append(env_grad)
        mean_loss = total_loss / len(minibatches)
        mean_grad = autograd.grad(mean_loss, self.network.parameters(), retain_graph=True)
        penalty_value = 0
        for grad in grads:
            for g, mean_g in zip(grad, mean_grad):
                penalty_value += (g - mean_g).pow(2).sum()
        objective = mean_loss + self.hparams["penalty"] * penalty_value
        self.optimizer.zero_grad()
        objective.backward()  # asked: TL124
        self.optimizer.step()
        return {"loss": mean_loss.item(), "penalty": penalty_value.item()}


algorithm = IGA(6, 3, {"lr": 1e-3, "penalty": 1000.0})
for _ in range(3):
    print(algorithm.update([(torch.randn(8, 6), torch.randint(0, 3, (8,))) for _ in range(2)]))
