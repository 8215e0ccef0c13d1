import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms

FLAGS = {"normalize_mean": [0.485, 0.456, 0.406], "normalize_std": [0.229, 0.224, 0.225], "batch_size": 16}


class PRNetDataset(Dataset):
    def __init__(self, n):
        self.origin = np.random.rand(n, 3, 64, 64).astype("float32")

    def __len__(self):
        return len(self.origin)

    def __getitem__(self, index):
        return {"origin": torch.from_numpy(self.origin[index]), "uv_map": torch.from_numpy(self.origin[index])}


def main():
    transform_img = transforms.Compose([transforms.Normalize(FLAGS["normalize_mean"], FLAGS["normalize_std"])])
    loader = DataLoader(dataset=PRNetDataset(32), batch_size=FLAGS["batch_size"], shuffle=True)
    model = nn.Conv2d(3, 3, 3, padding=1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)
    for epoch in range(2):
        for sample in loader:
            uv_map, origin = sample["uv_map"], sample["origin"]
            origin = torch.stack([transform_img(each) for each in origin])
            loss = (model(origin) - uv_map).abs().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


main()
