import argparse

import torch
import torch.nn as nn
import torchvision.transforms.functional as TF
from PIL import Image


def hourglass(stacks, classes):
    layers = [nn.Conv2d(3, 32, 3, padding=1), nn.ReLU()]
    for _ in range(stacks):
        layers += [nn.Conv2d(32, 32, 3, padding=1), nn.ReLU()]
    return nn.Sequential(*layers, nn.Conv2d(32, classes, 1))


def load_model(stacks, checkpoint):
    model = hourglass(stacks, 16)
    state = torch.load(checkpoint, map_location="cpu")
    model.load_state_dict(state["state_dict"])
    model.eval()
    return model


def inference(model, path, device):
    image = TF.to_tensor(Image.open(path).convert("RGB").resize((256, 256)))
    image = image.unsqueeze(0).to(device)
    with torch.no_grad():
        return model(image).cpu()


def main(args):
    device = torch.device(args.device)
    model = load_model(args.stacks, args.checkpoint).to(device)
    heatmaps = inference(model, args.image, device)
    print(heatmaps.flatten(2).argmax(-1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-s", "--stacks", type=int, default=2)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--checkpoint", default="best.pth.tar")
    parser.add_argument("--image", default="sample.jpg")
    main(parser.parse_args())
