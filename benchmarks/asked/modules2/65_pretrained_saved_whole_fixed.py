import torch
from torchvision import models

save_path = "/tmp/here.pt"
m = models.resnet18(weights=None)
torch.save(m.state_dict(), save_path)
m = models.resnet18(weights=None)
m.load_state_dict(torch.load(save_path, map_location="cpu"))
m.eval()
print(m(torch.randn(1, 3, 224, 224)).shape)
