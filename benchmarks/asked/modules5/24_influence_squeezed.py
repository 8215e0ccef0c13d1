import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def per_sample_gradients(model, x, y):
    log = {}
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear):
            module.register_forward_hook(lambda _, args, out, name=name: log.__setitem__(name, [args[0].detach(), out]))
    loss = nn.functional.cross_entropy(model(x), y, reduction="sum")
    outputs = [out for _, out in log.values()]
    grads = torch.autograd.grad(loss, outputs)
    return {name: torch.einsum("bo,bi->boi", grad, inputs) for (name, (inputs, _)), grad in zip(log.items(), grads)}


class InfluenceFunction:
    def compute_influence(self, src, tgt):
        total_influence = 0
        for name in src:
            module_influence = torch.einsum("aoi,boi->ab", src[name], tgt[name])
            total_influence += module_influence.squeeze()  # asked: TL702
        return total_influence

    def compute_influence_all(self, model, test_loader, train_loader):
        rows = []
        for x, y in test_loader:
            src = per_sample_gradients(model, x, y)
            columns = [self.compute_influence(src, per_sample_gradients(model, a, b)) for a, b in train_loader]
            rows.append(torch.cat(columns, dim=1))
        return torch.cat(rows)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))
    train = DataLoader(TensorDataset(torch.randn(12, 6), torch.randint(3, (12,))), batch_size=4)
    test = DataLoader(TensorDataset(torch.randn(5, 6), torch.randint(3, (5,))), batch_size=2)
    print(InfluenceFunction().compute_influence_all(model, test, train).shape)
