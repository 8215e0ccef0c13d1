import torch


def masked_log_sum(a):
    mask = a > -1
    return torch.log1p(a)[mask].sum()  # asked: TL118


a = torch.tensor([-1.0, 0.5, 1.0], requires_grad=True)
l = masked_log_sum(a)
l.backward()
print(l.item(), a.grad)
