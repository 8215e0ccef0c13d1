import h5py
import torch


class Features(torch.utils.data.Dataset):
    def __init__(self) -> None:
        super().__init__()
        self.file = h5py.File("data.h5", "r")  # asked: TL603

    def __len__(self):
        return len(self.file["features"])

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
