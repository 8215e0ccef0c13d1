import torch
import torch.nn as nn
import torch.nn.functional as F

unet = nn.Conv3d(4, 4, 3, padding=1)
optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-4)


def batches():
    for _ in range(4):
        masks = (torch.rand(2, 1, 3, 8, 8) > 0.5).float()
        masks[0] = 0
        yield torch.randn(2, 4, 3, 8, 8), masks


for step, (latents, masks) in enumerate(batches()):
    noise = torch.randn_like(latents)
    timesteps = torch.randint(0, 1000, (latents.shape[0],))
    noisy_latents = latents + noise * (timesteps.view(-1, 1, 1, 1, 1) / 1000)
    model_pred = unet(noisy_latents)
    loss = F.mse_loss(model_pred.float() * masks, noise.float() * masks, reduction="none")
    loss = loss.sum([1, 2, 3, 4]) / (masks.sum([1, 2, 3, 4]) + 1e-6)
    loss = loss.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
