import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

GLOBAL_SEED = 47


class RandomRotate:
    def __init__(self, random_state, angle_spectrum=10):
        self.random_state = random_state
        self.angle_spectrum = angle_spectrum

    def __call__(self, m):
        angle = self.random_state.randint(-self.angle_spectrum, self.angle_spectrum)
        return np.roll(m, angle, axis=-1)


class RandomContrast:
    def __init__(self, random_state, factor=0.5):
        self.random_state = random_state
        self.factor = factor

    def __call__(self, m):
        brightness = self.factor + self.random_state.uniform(-self.factor, self.factor)
        return np.clip(m * brightness, 0, 1)


class VolumeDataset(Dataset):
    def __init__(self, volumes):
        self.volumes = volumes
        rng = np.random.RandomState(GLOBAL_SEED)  # asked: TL604
        self.transforms = [RandomRotate(rng), RandomContrast(rng)]

    def __getitem__(self, idx):
        m = self.volumes[idx]
        for transform in self.transforms:
            m = transform(m)
        return torch.from_numpy(np.ascontiguousarray(m, dtype=np.float32))

    def __len__(self):
        return len(self.volumes)


if __name__ == "__main__":
    loader = DataLoader(VolumeDataset(np.random.rand(16, 4, 8, 8)), batch_size=1, shuffle=True, num_workers=4)
    for volume in loader:
        print(volume.mean())
