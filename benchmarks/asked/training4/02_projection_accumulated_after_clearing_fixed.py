import torch
from torch import nn
from torch.nn import functional as F


def loss_fucntion(a, b):
    cos_loss = nn.CosineSimilarity()
    loss = 0
    for x, y in zip(a, b):
        loss += torch.mean(1 - cos_loss(x.flatten(1), y.flatten(1)))
    return loss


def make(width):
    return nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, 8, 3, padding=1))


def train(batches, num_epoch=2, accumulation_steps=2):
    torch.manual_seed(111)
    encoder, decoder = make(16).eval(), make(16)
    proj = nn.Conv2d(8, 8, 1)
    optimizer_proj = torch.optim.Adam(proj.parameters(), lr=0.001, betas=(0.5, 0.999))
    optimizer_distill = torch.optim.Adam(decoder.parameters(), lr=0.005, betas=(0.5, 0.999))
    for epoch in range(num_epoch):
        proj.train()
        decoder.train()
        loss_running = 0.0
        for i, img in enumerate(batches):
            with torch.no_grad():
                inputs = encoder(img)
                inputs_noise = encoder(img + 0.1 * torch.randn_like(img))
            features = proj(inputs)
            loss = F.mse_loss(proj(inputs_noise), inputs)
            loss = loss + 0.2 * loss_fucntion([decoder(img)], [features])
            loss.backward()
            if (i + 1) % accumulation_steps == 0:
                optimizer_proj.step()
                optimizer_distill.step()
                optimizer_proj.zero_grad()
                optimizer_distill.zero_grad()
            loss_running += loss.item()
        print(epoch, loss_running / len(batches))


if __name__ == "__main__":
    train([torch.randn(4, 3, 16, 16) for _ in range(6)])
