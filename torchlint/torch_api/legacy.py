"""What tensors were made with before ``torch.tensor``, and the types they were told by."""

from __future__ import annotations

VARIABLE = "torch.autograd.Variable"

DTYPES = {
    "FloatTensor": "float32",
    "DoubleTensor": "float64",
    "HalfTensor": "float16",
    "BFloat16Tensor": "bfloat16",
    "LongTensor": "int64",
    "IntTensor": "int32",
    "ShortTensor": "int16",
    "CharTensor": "int8",
    "ByteTensor": "uint8",
    "BoolTensor": "bool",
}


def names() -> frozenset[str]:
    """The names of ``Variable`` and of all types of tensors."""
    types = {f"torch.{where}{name}" for where in ("", "cuda.") for name in DTYPES}
    return frozenset(types | {VARIABLE})


def dtype(name: str) -> str:
    """The dtype that the name of a type stands for; nothing for other names."""
    home, _, last = name.rpartition(".")
    return DTYPES.get(last, "") if home in {"torch", "torch.cuda"} else ""


def is_on_gpu(name: str) -> bool:
    """Whether a type is that of tensors on a GPU."""
    return name.startswith("torch.cuda.")
