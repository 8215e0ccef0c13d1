import argparse

import torch
import torch.nn as nn
import torchvision.models as models

model_names = sorted(name for name in models.__dict__ if name.islower() and not name.startswith("__") and callable(models.__dict__[name]))


def main_worker(args):
    if args.pretrained:
        print("=> using pre-trained model '{}'".format(args.arch))
        model = models.__dict__[args.arch](pretrained=True)  # asked: TL905
    else:
        print("=> creating model '{}'".format(args.arch))
        model = models.__dict__[args.arch]()
    model.fc = nn.Linear(model.fc.in_features, args.classes)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = model.to(device).eval()
    with torch.no_grad():
        print(model(torch.rand(2, 3, 224, 224, device=device)).shape)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-a", "--arch", default="resnet18", choices=model_names)
    parser.add_argument("--pretrained", action="store_true")
    parser.add_argument("--classes", type=int, default=5)
    main_worker(parser.parse_args())
