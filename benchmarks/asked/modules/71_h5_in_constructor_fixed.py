import h5py
import torch


class Features(torch.utils.data.Dataset):
    def __init__(self) -> None:
        super().__init__()
        self._file = None

    @property
    def file(self):
        if self._file is None:
            self._file = h5py.File("data.h5", "r")
        return self._file

    def __len__(self):
        with h5py.File("data.h5", "r") as file:
            return len(file["features"])

    def __getitem__(self, idx):
        return torch.from_numpy(self.file["features"][idx])


class Main:
    def run(self):
        dataset = Features()
        loader = torch.utils.data.DataLoader(dataset, num_workers=2)
        for each in loader:
            print(each.shape)


if __name__ == "__main__":
    Main().run()
