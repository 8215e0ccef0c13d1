import os.path as osp

import cv2
import lmdb
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class LoadImageFromLMDB:
    def __init__(self, to_float32=False, color_type="color", lmdb_dir="./data/coco"):
        self.to_float32 = to_float32
        self.color_type = color_type
        self.lmdb_dir = lmdb_dir
        self.cur_lmdb = lmdb.open(self.lmdb_dir, readonly=True)  # asked: TL603

    def __call__(self, results):
        filename = osp.join(results["img_prefix"], results["img_info"]["filename"])
        with self.cur_lmdb.begin() as handle:
            value = handle.get(filename.encode())
        img = cv2.imdecode(np.frombuffer(value, dtype=np.uint8), cv2.IMREAD_COLOR)
        if self.to_float32:
            img = img.astype(np.float32)
        results["img"], results["img_shape"] = img, img.shape
        return results


class CocoDataset(Dataset):
    def __init__(self, infos, pipeline, img_prefix="train2017"):
        self.infos, self.pipeline, self.img_prefix = infos, pipeline, img_prefix

    def __len__(self):
        return len(self.infos)

    def __getitem__(self, idx):
        results = {"img_prefix": self.img_prefix, "img_info": self.infos[idx]}
        for transform in self.pipeline:
            results = transform(results)
        return torch.from_numpy(results["img"]).permute(2, 0, 1)


def build_dataloader(infos, samples_per_gpu=2, workers_per_gpu=2):
    dataset = CocoDataset(infos, [LoadImageFromLMDB(to_float32=True)])
    return DataLoader(dataset, batch_size=samples_per_gpu, num_workers=workers_per_gpu, shuffle=True)


if __name__ == "__main__":
    infos = [{"filename": f"{i:012d}.jpg"} for i in range(100)]
    for images in build_dataloader(infos):
        print(images.shape)
