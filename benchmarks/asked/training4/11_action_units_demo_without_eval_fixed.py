import glob
import os

import torch
import torch.nn as nn
from PIL import Image
from torchvision import transforms
from torchvision.models import vgg16


class Solver:
    def __init__(self, model_path=None, image_size=64):
        self.transform = transforms.Compose([transforms.Resize((image_size, image_size)), transforms.ToTensor()])
        self.model_path = model_path
        self.build_model()

    def build_model(self):
        self.C = vgg16()
        self.C.classifier[6] = nn.Linear(4096, 1)
        if self.model_path is not None:
            self.C.load_state_dict(torch.load(self.model_path, map_location="cpu"))

    def image_list(self, folder):
        return sorted(glob.glob(os.path.join(folder, "*.jpg")))

    def DEMO(self, folder):
        self.C.eval()
        for path in self.image_list(folder):
            img = self.transform(Image.open(path).convert("RGB")).unsqueeze(0)
            with torch.no_grad():
                out = self.C(img)
                out = torch.sigmoid(out)
            print(path, round(out.item(), 4))


if __name__ == "__main__":
    solver = Solver()
    solver.DEMO("faces")
