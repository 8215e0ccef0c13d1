import torch
from PIL import Image
from torchvision import models, transforms

device = torch.device("cuda:0")
model = models.resnet18(weights="DEFAULT")

tfms = transforms.Compose([transforms.Resize(224), transforms.ToTensor(), transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])
img = tfms(Image.open("cat.png")).unsqueeze(0)
img.to(device)  # asked: TL503
model.to(device)
model.eval()
with torch.no_grad():
    outputs = model(img)

for idx in torch.topk(outputs, k=5).indices.squeeze(0).tolist():
    prob = torch.softmax(outputs, dim=1)[0, idx].item()
    print("{label:<75} ({p:.2f}%)".format(label=idx, p=prob * 100))
