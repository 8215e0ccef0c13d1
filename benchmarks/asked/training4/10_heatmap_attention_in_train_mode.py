import argparse

import numpy as np
import torch
import torch.nn as nn


class Attn_Net_Gated(nn.Module):
    def __init__(self, L=64, D=32):
        super().__init__()
        self.attention_a = nn.Sequential(nn.Linear(L, D), nn.Tanh(), nn.Dropout(0.25))
        self.attention_b = nn.Sequential(nn.Linear(L, D), nn.Sigmoid(), nn.Dropout(0.25))
        self.attention_c = nn.Linear(D, 1)

    def forward(self, x):
        return self.attention_c(self.attention_a(x) * self.attention_b(x)), x


class CLAM_SB(nn.Module):
    def __init__(self, n_classes=2):
        super().__init__()
        self.attention_net = Attn_Net_Gated()
        self.classifiers = nn.Linear(64, n_classes)

    def forward(self, h):
        A, h = self.attention_net(h)
        A = torch.softmax(A.transpose(1, 0), dim=1)
        logits = self.classifiers(torch.mm(A, h))
        return logits, torch.softmax(logits, dim=1), A


def initiate_model(ckpt_path, device):
    model = CLAM_SB()
    if ckpt_path:
        model.load_state_dict(torch.load(ckpt_path, map_location=device), strict=True)
    return model.to(device)


def infer_single_slide(model, features, device):
    features = features.to(device)
    with torch.inference_mode():
        logits, Y_prob, A = model(features)  # asked: TL208
        Y_hat = torch.topk(logits, 1, dim=1)[1]
        A = A.view(-1, 1).cpu().numpy()
    return int(Y_hat.item()), Y_prob.cpu().numpy(), A


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ckpt_path", default="")
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = initiate_model(args.ckpt_path, device)
    Y_hat, Y_prob, A = infer_single_slide(model, torch.randn(100, 64), device)
    print(Y_hat, Y_prob, np.percentile(A, 90))
