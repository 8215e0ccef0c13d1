"""torchlint finds silent mistakes in PyTorch code, and proves them by execution."""

__version__ = "0.1.0"
