"""Shaping: the shape of an operation's result, or why it is refused, by the operation's name.

A transfer function takes a ``Request`` and gives a shape, or None where it is not known; what can
never work unwinds it as a ``Mismatch``.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.shaping import (
    convolutions,
    dense,
    elementwise,
    indexing,
    joining,
    losses,
    matrices,
    patterned,
    products,
    recurrent,
    reductions,
    resizing,
    sampling,
    scattering,
    viewing,
)
from torchlint.interpreter.shaping.mismatch import Mismatch, RefusedError, Why
from torchlint.interpreter.shaping.request import Request
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.ranges import Operation

    Transfer = Callable[[Request], "Shape | None"]
    Several = tuple["Shape | None", ...]

__all__ = ["Mismatch", "Outcome", "Request", "Why", "is_known", "moved", "outcome", "parts"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an operation gives: its result's shape, and those of further results, or a mismatch.

    ``learned`` is what is known of its operands now that it was not refused, by parameter.
    """

    shape: Shape | None = None
    others: Several = ()
    mismatch: Mismatch | None = None
    learned: dict[str, Shape] = field(default_factory=dict)


_NOTHING = Outcome()


def outcome(operation: Operation) -> Outcome:
    """The shapes that an operation gives, as far as they are known."""
    transfer = TRANSFERS.get(operation.name)
    several = _SEVERAL.get(operation.name) if transfer is None else None
    if transfer is None and several is None:
        if generated.loss_function(f"torch.nn.functional.{operation.name}") is None:
            return _NOTHING
        transfer = losses.loss
    if "*" in operation.inputs:
        # Some of the arguments are not known one by one.
        return _NOTHING
    request = Request(operation)
    try:
        if transfer is not None:
            return Outcome(transfer(request), learned=request.learned)
        assert several is not None
        found = several(request) or (None,)
    except RefusedError as refused:
        return Outcome(mismatch=refused.mismatch)
    return Outcome(found[0], found[1:], learned=request.learned)


def is_known(name: str) -> bool:
    """Whether there is a transfer function for an operation."""
    return name in TRANSFERS or name in _SEVERAL


def parts(operation: Operation) -> tuple[tuple[Shape, ...] | None, Mismatch | None]:
    """The shapes of the parts that a tensor is split into, if their number is known."""
    try:
        return joining.parts(Request(operation)), None
    except RefusedError as refused:
        return None, refused.mismatch


def moved(operation: Operation, dims: Shape) -> Shape | None:
    """What stands for each dimension of a tensor, after the dimensions have changed places."""
    request = Request(operation)
    request.learned["input"] = dims
    try:
        return TRANSFERS[operation.name](request)
    except RefusedError:
        return None


_WINDOWS = "1d 2d 3d".split()
_SEVERAL: dict[str, Callable[[Request], Several | None]] = {
    **dict.fromkeys(("rnn", "gru", "lstm"), recurrent.recurrent),
    **dict.fromkeys(("rnncell", "grucell", "lstmcell"), recurrent.cell),
    "multiheadattention": recurrent.attention,
    **dict.fromkeys(("var_mean", "std_mean"), reductions.pair),
    **dict.fromkeys(("eigh", "eig"), matrices.eigen),
    "svd": matrices.singular,
    "qr": matrices.orthogonal,
}
SEVERAL_RESULTS = frozenset({"var_mean", "std_mean", "eigh", "eig", "svd", "qr"})
"""Functions that give several tensors."""


TRANSFERS: dict[str, Transfer] = {
    **dict.fromkeys(elementwise.SAME, elementwise.same),
    **dict.fromkeys(elementwise.ALONG, elementwise.along),
    **dict.fromkeys(elementwise.PAIRWISE, elementwise.pairwise),
    **dict.fromkeys((*elementwise.IN_PLACE, "copy"), elementwise.in_place),
    **dict.fromkeys(reductions.NAMES, reductions.reduced),
    **dict.fromkeys((f"conv{n}" for n in _WINDOWS), convolutions.convolution),
    **dict.fromkeys((f"conv_transpose{n}" for n in _WINDOWS), convolutions.transposed),
    **dict.fromkeys(
        (f"{kind}_pool{n}" for kind in ("max", "avg") for n in _WINDOWS), convolutions.pooled
    ),
    **dict.fromkeys(
        (f"adaptive_{kind}_pool{n}" for kind in ("max", "avg") for n in _WINDOWS),
        convolutions.adaptive,
    ),
    **dict.fromkeys((f"lp_pool{n}" for n in _WINDOWS), convolutions.pooled),
    **dict.fromkeys((f"fractional_max_pool{n}" for n in _WINDOWS[1:]), convolutions.fractional),
    **dict.fromkeys((f"max_unpool{n}" for n in _WINDOWS), convolutions.unpooled),
    **dict.fromkeys(matrices.SQUARE, matrices.square),
    **dict.fromkeys(matrices.NUMBERS, matrices.numbers),
    **dict.fromkeys(sampling.WAVES, sampling.waves),
    **dict.fromkeys(("view_as_complex", "view_as_real"), sampling.halves),
    **dict.fromkeys(("multi_dot", "chain_matmul"), matrices.chained),
    **dict.fromkeys(("cov", "corrcoef"), matrices.covariance),
    **dict.fromkeys(("quantile", "nanquantile"), reductions.quantile),
    **dict.fromkeys(("view", "reshape"), viewing.view),
    **dict.fromkeys(("view_as", "reshape_as"), viewing.like_other),
    **dict.fromkeys(("expand", "broadcast_to"), viewing.expand),
    **dict.fromkeys(("flatten", "ravel"), viewing.flatten),
    **dict.fromkeys("transpose swapaxes swapdims t T mT adjoint H mH".split(), viewing.transpose),
    **dict.fromkeys(("movedim", "moveaxis"), viewing.movedim),
    **dict.fromkeys(("repeat", "tile"), viewing.repeat),
    **dict.fromkeys(("rows", "select", "index"), indexing.item),
    **dict.fromkeys(("narrow", "index_select"), indexing.selected),
    **dict.fromkeys(("matmul", "rmatmul"), products.matmul),
    **dict.fromkeys(("bmm", "mm"), products.batched),
    **dict.fromkeys(("addmm", "baddbmm", "addbmm"), products.added),
    **dict.fromkeys(("mv", "dot", "outer", "ger"), products.vectors),
    **dict.fromkeys(("cat", "concat", "concatenate"), joining.cat),
    **dict.fromkeys("hstack vstack row_stack dstack column_stack".split(), joining.hstack),
    **dict.fromkeys(("interpolate", "upsample"), resizing.interpolated),
    **dict.fromkeys(("pixel_shuffle", "pixel_unshuffle"), dense.pixels),
    **dict.fromkeys(
        "transformer transformerencoder transformerdecoder transformerencoderlayer "
        "transformerdecoderlayer".split(),
        recurrent.transformer,
    ),
    **dict.fromkeys(("cosine_similarity", "pairwise_distance"), reductions.compared),
    **dict.fromkeys(("layer_norm", "rms_norm"), dense.layer_norm),
    **dict.fromkeys("scatter scatter_add scatter_reduce".split(), scattering.scattered),
    **dict.fromkeys(("index_add", "index_copy"), scattering.added),
    "affine_grid": sampling.gridded,
    "atleast_2d": viewing.at_least_rows,
    "batch_norm": dense.batch_norm,
    "bilinear": dense.bilinear,
    "bincount": reductions.counted,
    "block_diag": matrices.blocks,
    "cartesian_prod": joining.combined,
    "cdist": products.distances,
    "channel_shuffle": dense.channel_shuffle,
    "cross": products.cross,
    "diag": matrices.diagonals,
    "diag_embed": matrices.spread_out,
    "diagonal": viewing.diagonal,
    **dict.fromkeys(("einsum", "einops_einsum"), patterned.einsum),
    **dict.fromkeys(("einops_rearrange", "einops_repeat", "einops_reduce"), patterned.rearranged),
    "embedding": dense.embedding,
    "embedding_bag": dense.embedding_bag,
    "expand_as": viewing.like_expanded,
    "fold": convolutions.folded,
    "gather": indexing.gather,
    "glu": elementwise.glu,
    "grid_sample": sampling.sampled,
    "group_norm": dense.group_norm,
    "gumbel_softmax": elementwise.drawn,
    "inner": matrices.inner,
    "instance_norm": dense.instance_norm,
    "kron": matrices.kronecker,
    "kthvalue": reductions.kthvalue,
    "linear": dense.linear,
    **dict.fromkeys(("roll", "flip"), elementwise.rolled),
    "masked_fill": elementwise.masked,
    "masked_select": elementwise.chosen,
    "multinomial": sampling.drawn,
    "nonzero": reductions.found,
    "local_response_norm": dense.response_norm,
    "one_hot": elementwise.one_hot,
    "pad": resizing.pad,
    "pad_sequence": joining.padded,
    "permute": viewing.permute,
    "prelu": elementwise.prelu,
    "repeat_interleave": viewing.interleaved,
    "rot90": matrices.turned,
    "scaled_dot_product_attention": recurrent.scaled_attention,
    "setitem": indexing.assigned,
    "solve": matrices.solved,
    "squeeze": viewing.squeeze,
    "stack": joining.stack,
    "take_along_dim": indexing.at_indices,
    "tensordot": matrices.contracted,
    "topk": reductions.topk,
    "trace": matrices.trace,
    "unflatten": viewing.unflatten,
    "unfold": convolutions.unfolded,
    "unsqueeze": viewing.unsqueeze,
}
"""The transfer function of each operation, by its plain name."""
