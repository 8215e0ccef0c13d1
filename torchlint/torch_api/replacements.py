"""What to write for names that torch gives up; where it computes the same, tests run both."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Replacement:
    """A call of ``use`` in place of another.

    ``takes`` are the parameters of the old call, and ``gives`` the arguments of the new one, where
    ``{name}`` is an argument of the old: what was not given is left out. Without ``takes`` the
    arguments stay as they are, after those of ``first`` and before those of ``last``. A parameter
    of ``values`` has to be one of these literals, which are written in the new way; those of
    ``given`` may not be left out. ``since`` is the first release that has ``use``. What is to be
    done ``by_hand`` does not compute the same, and is only named; ``rest`` does what ``use`` alone
    does not.
    """

    use: str
    since: str = "0"
    takes: str = ""
    gives: str = ""
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    given: str = ""
    first: str = ""
    last: str = ""
    by_hand: bool = False
    rest: str = ""

    @property
    def named(self) -> str:
        """What readers are told to use."""
        return " and ".join(f"`{each}`" for each in (self.rest, self.use) if each)

    @property
    def renames(self) -> bool:
        """Whether only the name changes."""
        return not (self.takes or self.first or self.last)


def _of_device(kind: str) -> dict[str, Replacement]:
    """Mixed precision for one kind of device, by the functions that are for all."""
    quoted = f'"{kind}"'
    return {
        f"torch.{kind}.amp.autocast": Replacement(
            "torch.amp.autocast",
            "1.12",
            takes="enabled dtype cache_enabled",
            gives=f"{quoted} enabled={{enabled}} dtype={{dtype}} cache_enabled={{cache_enabled}}",
        ),
        f"torch.{kind}.amp.GradScaler": Replacement("torch.amp.GradScaler", "2.3", first=quoted),
    }


_OF_CUDA = {
    f"torch.cuda.amp.{name}": Replacement(f"torch.amp.{name}", "2.4", last='device_type="cuda"')
    for name in ("custom_fwd", "custom_bwd")
}

_SPARSE = {
    f"torch.sparse.{kind}Tensor": Replacement(
        "torch.sparse_coo_tensor",
        takes="indices values size",
        gives="{indices} {values} {size}",
        given="indices values",
    )
    for kind in ("Double", "Float")
}

_BY_HAND = {
    name: Replacement(use, since, by_hand=True)
    for name, use, since in (
        ("torch.backends.cuda.sdp_kernel", "torch.nn.attention.sdpa_kernel", "2.3"),
        ("torch.nn.utils.weight_norm", "torch.nn.utils.parametrizations.weight_norm", "2.1"),
        ("torch.range", "torch.arange", "0"),
        ("torch.triangular_solve", "torch.linalg.solve_triangular", "1.11"),
    )
}

REPLACEMENTS: dict[str, Replacement] = {
    **_BY_HAND,
    "torch.set_default_tensor_type": Replacement(
        "torch.set_default_device", "2.0", by_hand=True, rest="torch.set_default_dtype"
    ),
    **_of_device("cuda"),
    **_of_device("cpu"),
    **_OF_CUDA,
    **_SPARSE,
    "torch.cholesky": Replacement(
        "torch.linalg.cholesky", "1.8", takes="input upper", gives="{input} upper={upper}"
    ),
    "torch.chain_matmul": Replacement("torch.linalg.multi_dot", "1.9", takes="*", gives="[{*}]"),
    "torch.cuda.max_memory_cached": Replacement("torch.cuda.max_memory_reserved", "1.4"),
    "torch.cuda.memory_cached": Replacement("torch.cuda.memory_reserved", "1.4"),
    "torch.distributed.all_gather_into_tensor": Replacement(
        "torch.distributed.all_gather_single", "2.13"
    ),
    "torch.distributed.reduce_scatter_tensor": Replacement(
        "torch.distributed.reduce_scatter_single", "2.13"
    ),
    "torch.library.impl_abstract": Replacement("torch.library.register_fake", "2.4"),
    "torch.lu_solve": Replacement(
        "torch.linalg.lu_solve",
        "1.13",
        takes="input LU_data LU_pivots",
        gives="{LU_data} {LU_pivots} {input}",
        given="input LU_data LU_pivots",
    ),
    "torch.matrix_rank": Replacement(
        "torch.linalg.matrix_rank", "1.8", takes="input", gives="{input}"
    ),
    "torch.nn.NLLLoss2d": Replacement("torch.nn.NLLLoss"),
    "torch.nn.functional.upsample": Replacement("torch.nn.functional.interpolate", "1.0"),
    "torch.nn.utils.clip_grad_norm": Replacement("torch.nn.utils.clip_grad_norm_"),
    "torch.nn.utils.stateless.functional_call": Replacement("torch.func.functional_call", "2.0"),
    "torch.qr": Replacement(
        "torch.linalg.qr",
        "1.8",
        takes="input some",
        gives="{input} mode={some}",
        values={"some": {"True": '"reduced"', "False": '"complete"'}},
    ),
    "torch.symeig": Replacement(
        "torch.linalg.eigh",
        "1.8",
        takes="input eigenvectors upper",
        gives="{input} UPLO={upper}",
        values={"eigenvectors": {"True": ""}, "upper": {"True": '"U"', "False": '"L"', "": '"U"'}},
        given="eigenvectors",
    ),
}
"""By the canonical name that they stand for; a method of tensors is replaced as its function is."""

PUBLIC: dict[str, Replacement] = {
    **{
        f"torch.distributed._tensor.{name}": Replacement(f"torch.distributed.tensor.{name}", "2.5")
        for name in (
            "DTensor Partial Placement Replicate Shard distribute_module distribute_tensor "
            "empty full ones rand randn zeros"
        ).split()
    },
    **{
        f"torch._jit_internal.{name}": Replacement(f"torch.jit.{name}", "1.2")
        for name in ("export", "ignore", "unused")
    },
    "torch._C.Generator": Replacement("torch.Generator"),
    "torch._C._LinAlgError": Replacement("torch.linalg.LinAlgError", "1.11"),
    "torch._C.device": Replacement("torch.device"),
    "torch._C.dtype": Replacement("torch.dtype"),
    "torch._tensor.Tensor": Replacement("torch.Tensor"),
    "torch.distributed._tensor.DeviceMesh": Replacement(
        "torch.distributed.device_mesh.DeviceMesh", "2.2"
    ),
    "torch.distributed._tensor.init_device_mesh": Replacement(
        "torch.distributed.device_mesh.init_device_mesh", "2.2"
    ),
    "torch.optim.lr_scheduler._LRScheduler": Replacement(
        "torch.optim.lr_scheduler.LRScheduler", "2.0"
    ),
    "torch.utils.data._utils.collate.default_collate": Replacement(
        "torch.utils.data.default_collate", "1.11"
    ),
    "torch.utils.data._utils.collate.default_convert": Replacement(
        "torch.utils.data.default_convert", "1.11"
    ),
    "torch.utils.data._utils.worker.get_worker_info": Replacement(
        "torch.utils.data.get_worker_info"
    ),
}
"""Private names, by the public ones that they go by now; tests hold that they are the same."""


def replacement(name: str) -> Replacement | None:
    """What stands for a name; None where nothing does."""
    known = REPLACEMENTS.get(name) or PUBLIC.get(name)
    return known or REPLACEMENTS.get(name.replace("torch.Tensor.", "torch.", 1))
