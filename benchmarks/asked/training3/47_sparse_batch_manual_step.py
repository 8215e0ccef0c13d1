import torch
import torch.nn.functional as F


def global_pruning(weight, inputs, target, batch_size=8, epochs=3, s_learning_rate=0.1):
    s = inputs @ weight.t()
    s = s.clone().detach()
    for epoch in range(epochs):
        losses = []
        for i in range(0, s.shape[0], batch_size):
            chunk = slice(i, i + batch_size)
            s_batch = s[chunk].detach().clone().float().requires_grad_(True)
            p = target[chunk]
            loss_s = F.mse_loss(F.relu(s_batch), p) + 0.1 * F.mse_loss(s_batch, inputs[chunk] @ weight.t())
            losses.append(loss_s.item())
            loss_s.backward()
            s_batch -= s_learning_rate * s_batch.grad  # asked: TL103
            s_batch.grad.zero_()
            s[chunk] = s_batch.detach()
        print(epoch, sum(losses) / len(losses))
    return s


print(global_pruning(torch.randn(6, 4), torch.randn(32, 4), torch.rand(32, 6)).shape)
