import argparse
from pathlib import Path

import torch
import torch.nn as nn


class AutoDecoder(nn.Module):
    def __init__(self, latent_dim=8, hidden=16):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(latent_dim + 3, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, latents, coords):
        return self.layers(torch.cat([latents, coords], dim=-1))


def create_model(params):
    return AutoDecoder(params["latent_dim"])


def train(params, target_dir, parallel=True):
    net = create_model(params)
    if parallel:
        net = nn.DataParallel(net)
    latents = nn.Parameter(torch.zeros(4, params["latent_dim"]))
    optimizer = torch.optim.Adam([*net.parameters(), latents], lr=1e-3)
    for epoch in range(2):
        coords = torch.rand(4, 3)
        loss = net(latents, coords).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net_state = net.state_dict()
    torch.save({"net_state": net_state, "latents": latents.detach()}, target_dir / "checkpoint.pth")


def evaluate(params, target_dir):
    net = create_model(params)
    checkpoint = torch.load(target_dir / "checkpoint.pth", map_location="cpu")
    net.load_state_dict(checkpoint["net_state"])  # asked: TL232
    net.eval()
    with torch.no_grad():
        print(net(checkpoint["latents"], torch.rand(4, 3)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", type=Path, default=Path("/tmp"))
    args = parser.parse_args()
    train({"latent_dim": 8}, args.target)
    evaluate({"latent_dim": 8}, args.target)
