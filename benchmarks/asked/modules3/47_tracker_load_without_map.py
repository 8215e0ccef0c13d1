import torch
import torch.nn as nn


class SiameseNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 16, 3))

    def temple(self, z):
        self.kernel = self.features(z)

    def forward(self, x):
        return nn.functional.conv2d(self.features(x), self.kernel)


class Tracker:
    def __init__(self, cfg, use_gpu):
        self.device = torch.device("cuda" if use_gpu and torch.cuda.is_available() else "cpu")
        self.cfg = cfg
        self.model = self.load_model(cfg["model_path"]).to(self.device)
        self.model.eval()

    def load_model(self, model_path):
        model = SiameseNet()
        model.load_state_dict(torch.load(model_path))  # asked: TL505
        return model

    def setup(self, z):
        self.model.temple(z.to(self.device))

    def track(self, x):
        with torch.no_grad():
            return self.model(x.to(self.device)).cpu()


if __name__ == "__main__":
    tracker = Tracker({"model_path": "siam.pth"}, use_gpu=False)
    tracker.setup(torch.rand(1, 3, 15, 15))
    print(tracker.track(torch.rand(1, 3, 31, 31)).shape)
