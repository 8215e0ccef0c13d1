import torch
from torch.utils.data import DataLoader, IterableDataset


class FramesDataset(IterableDataset):
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        first, step = (0, 1) if info is None else (info.id, info.num_workers)
        for i in range(first, self.count, step):
            yield {"video": torch.full((3, 8, 8), i, dtype=torch.float), "index": i}


class PreprocessingWrapper(IterableDataset):
    def __init__(self, dataset, size):
        super().__init__()
        self.dataset = dataset
        self.size = size

    def __iter__(self):
        for sample in iter(self.dataset):
            sample["video"] = torch.nn.functional.interpolate(sample["video"][None], size=self.size)[0]
            yield sample


def initialize(count, workers):
    dataset = PreprocessingWrapper(FramesDataset(count), (4, 4))
    return DataLoader(dataset, batch_size=2, num_workers=workers, pin_memory=True)


def main():
    for batch in initialize(8, 3):
        print(batch["index"])


if __name__ == "__main__":
    main()
