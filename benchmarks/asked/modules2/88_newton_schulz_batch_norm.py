import torch


def zeropower_via_newtonschulz(G, steps=5, eps=1e-7):
    assert G.ndim >= 2
    a, b, c = (3.4445, -4.7750, 2.0315)
    X = G.float()
    transposed = X.size(-2) > X.size(-1)
    if transposed:
        X = X.mT
    X = X / X.norm(dim=(-2, -1)).clamp(min=eps)  # asked: TL701
    for _ in range(steps):
        A = X @ X.mT
        B = b * A + c * A @ A
        X = a * X + B @ X
    return X.mT if transposed else X


def step(params, lr=0.02):
    for p in params:
        if p.grad is not None and p.ndim >= 2:
            p.data.add_(zeropower_via_newtonschulz(p.grad), alpha=-lr)


experts = torch.nn.Parameter(torch.randn(5, 8, 6))
x = torch.randn(5, 4, 8)
loss = torch.bmm(x, experts).pow(2).mean()
loss.backward()
step([experts])
