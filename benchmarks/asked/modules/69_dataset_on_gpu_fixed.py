import random

import torch
import torch.utils.data as data


class DummyDataset(data.Dataset):
    def __init__(self, num_classes):
        super(DummyDataset, self).__init__()
        # Create tensor on GPU
        self.tensor = torch.randn(3, 224, 224)
        self.num_classes = num_classes

    def __len__(self):
        return 640

    def __getitem__(self, index):
        return self.tensor, random.randint(0, self.num_classes - 1)


def execute():
    train_dataset_loader = data.DataLoader(DummyDataset(1000), batch_size=64, num_workers=4)
    for step, (images, class_targets) in enumerate(train_dataset_loader):
        images = images.to("cuda")
        print(step, images.shape, class_targets[:4])


if __name__ == "__main__":
    execute()
