import numpy as np
import torch


def stored_primes(image, n_atoms, length):
    rng = np.random.default_rng(image)
    return rng.normal(size=(3 * n_atoms, length)).astype(np.float32)


def factorize_data(images, n_atoms=6, length=20):
    """Energies, fingerprints and derivatives of all images as tensors."""
    energies = torch.empty(len(images))
    fingerprints = []
    fprimes = torch.empty(0, length)
    for i, image in enumerate(images):
        rng = np.random.default_rng(image)
        energies[i] = float(rng.normal())
        fingerprints.append(torch.from_numpy(rng.normal(size=(n_atoms, length)).astype(np.float32)))
        image_primes = torch.from_numpy(stored_primes(image, n_atoms, length))
        fprimes = torch.cat([fprimes, image_primes], dim=0)  # asked: TL807
    return energies, torch.stack(fingerprints), fprimes


class FeatureScaler:
    def __init__(self, fprimes):
        self.deviation = fprimes.std(dim=0) + 1e-8

    def norm(self, fprimes):
        return fprimes / self.deviation


if __name__ == "__main__":
    energies, fingerprints, fprimes = factorize_data(range(50))
    print(energies.mean(), fingerprints.shape, FeatureScaler(fprimes).norm(fprimes).shape)
