import torch
from torch import Tensor, nn


class ExplaiNNTrunk(nn.Module):
    """Independent convolutional filters."""

    def __init__(self, in_len: int, channels: int, kernel_size: int) -> None:
        super().__init__()
        self.channels = channels
        self.kernel_size = kernel_size

        self.blocks = nn.ModuleList()
        for _ in range(channels):
            self.blocks.append(nn.Sequential(nn.Conv1d(4, 1, kernel_size), nn.BatchNorm1d(1), nn.Flatten(), nn.Linear(in_len - kernel_size + 1, 1)))

    def forward(self, x: Tensor) -> Tensor:
        return torch.stack([block(x) for block in self.blocks], dim=1)


t = ExplaiNNTrunk(in_len=200, channels=8, kernel_size=19)
