import argparse

import torch
import torch.nn as nn


def get_backend():
    layers = [nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1)]
    return 32, nn.Sequential(*layers)


def get_model(encoder, dim):
    model = nn.Module()
    model.add_module("encoder", encoder)
    model.add_module("pool", nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(dim, 64)))
    return model


def train(opt):
    dim, encoder = get_backend()
    model = get_model(encoder, dim)
    torch.save({"epoch": 0, "state_dict": model.state_dict()}, opt.resume)


def extract(opt):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dim, encoder = get_backend()
    model = get_model(encoder, dim)
    if opt.ngpu > 1 and torch.cuda.device_count() > 1:
        model.encoder = nn.DataParallel(model.encoder)
        model.pool = nn.DataParallel(model.pool)
    checkpoint = torch.load(opt.resume, map_location=lambda storage, loc: storage)
    model.load_state_dict(checkpoint["state_dict"])  # asked: TL232
    model = model.to(device)
    model.eval()
    with torch.no_grad():
        print(model.pool(model.encoder(torch.rand(4, 3, 64, 64, device=device))).shape)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--resume", default="vlad.pth.tar")
    parser.add_argument("--ngpu", type=int, default=2)
    parser.add_argument("--train", action="store_true")
    opt = parser.parse_args()
    train(opt) if opt.train else extract(opt)
