import numpy as np
import torch
import torch.nn as nn
import torchvision.transforms as transforms
from torchvision import models


def to_input(image):
    loader = transforms.Compose([transforms.ToTensor()])
    image = loader(image).float()
    return image.unsqueeze(0).cuda()


print("=> Loading Network")
model = models.densenet161(weights=None, num_classes=5)
model.classifier = nn.Linear(model.classifier.in_features, 5)
model = torch.nn.DataParallel(model).cuda()
checkpoint = torch.load("best.pth.tar", map_location="cuda")
model.load_state_dict(checkpoint["state_dict"])
for p in model.parameters():
    p.requires_grad = False
model.eval()

picture = (np.random.rand(224, 224, 3) * 255).astype(np.uint8)
with torch.no_grad():
    preds = model(to_input(picture))
print(preds)
