import torch
import torch.nn as nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 2)).to(device)


def saliency(model, sample, label):
    sample = sample.unsqueeze(0).requires_grad_()
    normalised = (sample - sample.mean()) / (sample.std() + 1e-6)
    score = model(normalised)[0, label]
    score.backward()
    grads = normalised.grad.abs()  # asked: TL111
    return grads.squeeze(0)


if __name__ == "__main__":
    print(saliency(model, torch.rand(6).to(device), 1))
