import os
import os.path as osp

import torch
import torch.nn as nn


def load_model(model, experiment_path, device="cpu", with_opt=False):
    checkpoint_path = osp.join(experiment_path, "model_checkpoint.pth")
    checkpoint = torch.load(checkpoint_path, map_location=device)
    model.load_state_dict(checkpoint["model_state_dict"])
    if with_opt:
        return model, checkpoint["optimizer_state_dict"]
    return model


def save_model(path, model, optimizer):
    os.makedirs(path, exist_ok=True)
    torch.save({"model_state_dict": model.state_dict(), "optimizer_state_dict": optimizer.state_dict()}, osp.join(path, "model_checkpoint.pth"))


if __name__ == "__main__":
    device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
    net = nn.Conv2d(3, 4, 3).to(device)
    save_model("/tmp/av", net, torch.optim.Adam(net.parameters()))
    model = load_model(nn.Conv2d(3, 4, 3), "/tmp/av", device).to(device)
    model.eval()
    with torch.no_grad():
        print(model(torch.rand(1, 3, 8, 8, device=device)).shape)
