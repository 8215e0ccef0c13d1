import torch
from torchvision import models

save_path = "/tmp/here.pt"
m = models.resnet18(weights=None)
torch.save(m, save_path)  # asked: TL908
m = torch.load(save_path, map_location="cpu")
m.eval()
print(m(torch.randn(1, 3, 224, 224)).shape)
