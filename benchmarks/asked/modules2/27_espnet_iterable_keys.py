from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader
from torch.utils.data.dataset import IterableDataset


class IterableESPnetDataset(IterableDataset):
    def __init__(self, path_name_type_list, preprocess=None, key_file=None):
        self.path_name_type_list = list(path_name_type_list)
        self.preprocess = preprocess
        self.key_file = key_file

    def __iter__(self):  # asked: TL608
        uid_iter = (line.rstrip().split(maxsplit=1)[0] for line in open(self.key_file, encoding="utf-8"))
        files = [open(path, encoding="utf-8") for path, _, _ in self.path_name_type_list]
        for count, uid in enumerate(uid_iter):
            values = [f.readline().rstrip().split(maxsplit=1)[1] for f in files]
            data = {name: np.fromstring(value, sep=" ", dtype=np.float32) for (_, name, _), value in zip(self.path_name_type_list, values)}
            if self.preprocess is not None:
                data = self.preprocess(uid, data)
            yield uid, data


def build_streaming_iterator(path_name_type_list, key_file, num_workers=1, batch_size=1):
    dataset = IterableESPnetDataset(path_name_type_list, key_file=key_file)
    return DataLoader(dataset=dataset, batch_size=batch_size, num_workers=num_workers)


def inference(output_dir, key_file, data_path_and_name_and_type):
    loader = build_streaming_iterator(data_path_and_name_and_type, key_file, num_workers=2)
    for keys, batch in loader:
        Path(output_dir, keys[0]).write_text(str(batch["speech"].shape))


if __name__ == "__main__":
    Path("/tmp/keys").write_text("a x\nb y\nc z\n")
    Path("/tmp/feats").write_text("a 1 2 3\nb 4 5\nc 6\n")
    inference("/tmp", "/tmp/keys", [("/tmp/feats", "speech", "text")])
