import torch
import torch.nn as nn


def perturb_iterative(xvar, yvar, predict, nb_iter, eps, eps_iter, loss_fn):
    delta = torch.zeros_like(xvar)
    delta.requires_grad_()
    for ii in range(nb_iter):
        outputs = predict(xvar + delta)
        loss = loss_fn(outputs, yvar)
        loss.backward()  # asked: TL122
        delta.data = (delta.data + eps_iter * delta.grad.data.sign()).clamp(-eps, eps)
        delta.grad.data.zero_()
    return torch.clamp(xvar + delta.data, 0, 1)


class LinfPGDAttack:
    def __init__(self, predict, eps=0.3, nb_iter=5, eps_iter=0.01):
        self.predict, self.eps = predict, eps
        self.nb_iter, self.eps_iter = nb_iter, eps_iter
        self.loss_fn = nn.CrossEntropyLoss(reduction="sum")

    def perturb(self, x, y):
        return perturb_iterative(x, y, self.predict, self.nb_iter, self.eps, self.eps_iter, self.loss_fn)


def test(net, testloader, adversary):
    net.eval()
    correct = total = 0
    with torch.no_grad():
        for batch_idx, (inputs, targets) in enumerate(testloader):
            inputs = adversary.perturb(inputs, targets)
            outputs = net(inputs)
            correct += outputs.max(1)[1].eq(targets).sum().item()
            total += targets.size(0)
    print("Acc: %.3f" % (100.0 * correct / total))


net = nn.Sequential(nn.Flatten(), nn.Linear(48, 5))
loader = [(torch.rand(4, 3, 4, 4), torch.randint(0, 5, (4,))) for _ in range(2)]
test(net, loader, LinfPGDAttack(net))
