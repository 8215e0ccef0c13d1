"""Names of torch that are not public: the ones with a part that starts with an underscore."""

from __future__ import annotations

from torchlint.sources.patterns import Pattern

EVERY = "torch._"
"""Stands for all of them, where names are sought."""

DOCUMENTED = (
    "torch._assert",
    "torch._check",
    "torch._dynamo",
    "torch._foreach_",
    "torch._functorch.config",
    "torch._higher_order_ops",
    "torch._inductor.aot",
    "torch._inductor.config",
    "torch._inductor.list_",
    "torch._logging",
    "torch.cuda._sanitizer",
    "torch.cuda.memory._dump_snapshot",
    "torch.cuda.memory._record_memory_history",
    "torch.cuda.memory._snapshot",
    "torch.ops.",
    "torch.utils._python_dispatch.TorchDispatchMode",
)
"""How names begin that torch's own documentation asks its users to write."""

_PRIVATE = Pattern(r"torch\.(?:\w+\.)*_(?!_)")


def is_private(name: str) -> bool:
    """Whether a dotted name is one of torch's that nobody promises to keep."""
    return bool(_PRIVATE.match(name)) and not name.startswith(DOCUMENTED)
