import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

CIFAR_MEAN, CIFAR_STD = [0.491, 0.482, 0.447], [0.247, 0.243, 0.261]
normalize = transforms.Normalize(CIFAR_MEAN, CIFAR_STD)

TRAIN_TRANSFORMS = {
    "cifar10-lt": transforms.Compose([
        transforms.RandomHorizontalFlip(),
        transforms.RandomCrop(32, 4),
        normalize,  # asked: TL616
    ]),
}
TEST_TRANSFORMS = {"cifar10-lt": transforms.Compose([transforms.ToTensor(), normalize])}


def get_loaders(dataset, data_home, batch_size=128, num_workers=2):
    train_dataset = datasets.CIFAR10(data_home, train=True, transform=TRAIN_TRANSFORMS[dataset])
    test_dataset = datasets.CIFAR10(data_home, train=False, transform=TEST_TRANSFORMS[dataset])
    train_loader = DataLoader(train_dataset, batch_size=batch_size, shuffle=True, num_workers=num_workers)
    test_loader = DataLoader(test_dataset, batch_size=batch_size, shuffle=False, num_workers=num_workers)
    return train_loader, test_loader


def main():
    train_loader, _ = get_loaders("cifar10-lt", "./data")
    counts = torch.zeros(10)
    for inputs, target in train_loader:
        counts += torch.bincount(target, minlength=10)
    print(counts, inputs.mean())


if __name__ == "__main__":
    main()
