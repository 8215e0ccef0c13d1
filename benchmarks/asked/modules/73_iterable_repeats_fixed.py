import random

from torch.utils.data import *


class MockIterableDataset(IterableDataset):
    def __iter__(self):
        nums = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        info = get_worker_info()
        if info is not None:
            nums = nums[info.id :: info.num_workers]
        random.shuffle(nums)
        for i in nums:
            yield i


if __name__ == "__main__":
    print(list(DataLoader(MockIterableDataset(), batch_size=2, num_workers=4)))
