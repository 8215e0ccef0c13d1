import cv2
import numpy as np
import torch
import torch.nn as nn

blocks = [nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(8), nn.Conv2d(32, 19, 1)]
model = nn.Sequential(*blocks)
model.load_state_dict(torch.load("pose.pth", map_location="cpu"))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model.to(device)
model.eval()

image = cv2.imread("ski.jpg")
heatmaps = np.zeros((19, image.shape[0], image.shape[1]), dtype=np.float32)
for scale in [0.5, 1.0, 1.5]:
    scaled = cv2.resize(image, (0, 0), fx=scale, fy=scale)
    tensor = torch.from_numpy(scaled).float().permute(2, 0, 1).unsqueeze(0) / 255 - 0.5
    with torch.no_grad():
        out = model(tensor.to(device))
    out = nn.functional.interpolate(out, size=image.shape[:2], mode="bilinear", align_corners=False)
    heatmaps += out[0].cpu().numpy() / 3
print(heatmaps.max(axis=(1, 2)))
