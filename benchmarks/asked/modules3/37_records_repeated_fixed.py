import itertools
import struct

import torch


def record_loader(path, transform=None):
    with open(path, "rb") as file:
        while True:
            head = file.read(8)
            if len(head) < 8:
                return
            length, label = struct.unpack("<II", head)
            payload = file.read(length)
            sample = {"bytes": torch.tensor(list(payload)), "label": label}
            yield transform(sample) if transform else sample


class RecordDataset(torch.utils.data.IterableDataset):
    def __init__(self, data_path, transform=None):
        super(RecordDataset, self).__init__()
        self.data_path = data_path
        self.transform = transform

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        it = record_loader(self.data_path, self.transform)
        if info is not None:
            it = itertools.islice(it, info.id, None, info.num_workers)
        return it


def main():
    with open("records.bin", "wb") as file:
        for i in range(20):
            file.write(struct.pack("<II", 4, i) + bytes([i] * 4))
    loader = torch.utils.data.DataLoader(RecordDataset("records.bin"), batch_size=4, num_workers=4)
    print(sorted(int(x) for batch in loader for x in batch["label"]))


if __name__ == "__main__":
    main()
