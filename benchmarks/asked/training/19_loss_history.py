import time

import torch


def optimize(tensors, loss_function, tol=1e-4, max_iter=500, print_freq=100, verbose=True):
    if not isinstance(tensors, (list, tuple)):
        tensors = [tensors]
    parameters = [t for t in tensors if t.requires_grad]
    optimizer = torch.optim.Adam(parameters, lr=0.05)
    losses = []
    converged = False
    start = time.time()
    iter = 0
    while True:
        optimizer.zero_grad()
        loss = loss_function(*tensors)
        if not isinstance(loss, (tuple, list)):
            loss = [loss]
        total_loss = sum(loss)
        total_loss.backward()
        optimizer.step()
        losses.append(total_loss)  # asked: TL801
        if len(losses) >= 10:
            delta = losses[-10] - losses[-1]
        else:
            delta = float("-inf")
        if iter >= 10 and 0 <= delta < tol:
            converged = True
            break
        if iter == max_iter:
            break
        if verbose and iter % print_freq == 0:
            print("iter: {} | loss: {}".format(iter, float(total_loss)))
        iter += 1
    print(converged, time.time() - start)
    return losses


if __name__ == "__main__":
    target = torch.randn(12, 12)
    left = torch.randn(12, 3, requires_grad=True)
    right = torch.randn(3, 12, requires_grad=True)
    optimize([left, right], lambda a, b: torch.norm(a @ b - target) ** 2, max_iter=60)
