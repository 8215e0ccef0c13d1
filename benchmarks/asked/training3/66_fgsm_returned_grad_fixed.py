import torch
import torch.nn as nn
import torch.nn.functional as F


class GradientSignAttack:
    def __init__(self, predict, loss_fn=nn.CrossEntropyLoss(), eps=0.3):
        self.predict = predict
        self.loss_fn = loss_fn
        self.eps = eps

    def perturb(self, x, y):
        xadv = x.requires_grad_()
        outputs = self.predict(xadv)
        loss = self.loss_fn(outputs, y)
        loss.backward()
        grad_sign = xadv.grad.detach().sign()
        xadv = xadv + self.eps * grad_sign
        xadv = torch.clamp(xadv, 0, 1)
        return xadv.detach()


model = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 10))
adversary = GradientSignAttack(model)
data = torch.rand(4, 1, 28, 28)
label = torch.randint(0, 10, (4,))
fgsm_tensor = adversary.perturb(data, label)
fgsm_tensor.requires_grad_()
loss = F.cross_entropy(model(fgsm_tensor), label)
loss.backward()
print(fgsm_tensor.grad.abs().mean())
