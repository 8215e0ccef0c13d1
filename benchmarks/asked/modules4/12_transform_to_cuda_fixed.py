import torch
import torch.utils.data
import torchvision
from torch import nn


transform = torchvision.transforms.Compose([torchvision.transforms.ToTensor()])


def main():
    dataset = torchvision.datasets.MNIST("../data", transform=transform, download=True)
    loader = torch.utils.data.DataLoader(dataset, batch_size=256, num_workers=1, shuffle=True)
    model = nn.Linear(784, 10)
    if torch.cuda.is_available():
        model = model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for images, labels in loader:
        images = images.to(model.weight.device)
        loss = nn.functional.cross_entropy(model(images.flatten(1)), labels.to(images.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
