import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class GradReverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -grad


class TransferModel(nn.Module):
    """The classifier and the discriminator of a domain adapter."""

    def __init__(self, num_classes=5):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(16, 32), nn.ReLU())
        self.head = nn.Linear(32, num_classes)
        self.adapter = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, source, target):
        source_features, target_features = self.backbone(source), self.backbone(target)
        domains = self.adapter(GradReverse.apply(torch.cat([source_features, target_features])))
        return self.head(source_features), domains.squeeze(1)


class Trainer:
    def __init__(self, model, lr=1e-2):
        self.model = DistributedDataParallel(model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)

    def step(self, source, labels, target):
        backbone = self.model.module.backbone
        head, adapter = self.model.module.head, self.model.module.adapter
        source_features, target_features = backbone(source), backbone(target)  # asked: TL231
        logits = head(source_features)
        domains = adapter(GradReverse.apply(torch.cat([source_features, target_features]))).squeeze(1)
        is_source = torch.cat([torch.ones(len(source)), torch.zeros(len(target))])
        loss = F.cross_entropy(logits, labels) + F.binary_cross_entropy_with_logits(domains, is_source)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    trainer = Trainer(TransferModel())
    for _ in range(3):
        print(trainer.step(torch.randn(8, 16), torch.randint(5, (8,)), torch.randn(8, 16)))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
