"""The claim that torch's attention gives what is written out (TL815)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from ..protocol import OPEN, SHOWN, Observation
from ..roles import MODEL
from ..sightings import Asked, Sightings
from ..ways import Question, investigate

if TYPE_CHECKING:
    from ..protocol import Job

_PRODUCTS = "torch.matmul torch.bmm torch.Tensor.matmul torch.Tensor.bmm torch.Tensor.__matmul__"
_SOFTMAXES = "torch.softmax torch.Tensor.softmax torch.nn.functional.softmax"
_CLOSE = 1e-4
_KEPT = 8


class WrittenOut(Sightings):
    """Keeps products and softmaxes, and compares where the values are multiplied."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._products: list[tuple[Tensor, Tensor, Tensor]] = []
        self._softmaxes: list[tuple[Tensor, Tensor]] = []
        self._found = ""

    def see(self, name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Keep what is computed, and look at it at the target."""
        out = function(*args, **kwargs)
        if self._busy or not args:
            return out
        if "softmax" in name:
            self._softmaxes = [*self._softmaxes[-_KEPT:], (args[0].detach(), out.detach())]
        elif len(args) == 2:
            if self._project.is_at(self._target):
                with self._apart():
                    self._match(args[1].detach())
            self._products = [
                *self._products[-_KEPT:],
                (args[0].detach(), args[1].detach(), out.detach()),
            ]
        return out

    def _match(self, values: Tensor) -> None:
        """Compare with the attention of the queries and keys whose product was normalised last."""
        if not self._softmaxes:
            return
        scores, weights = self._softmaxes[-1]
        for queries, keys, product in reversed(self._products):
            if product.shape != scores.shape or weights.shape[-1] != values.shape[-2]:
                continue
            ratio = (scores / product)[torch.isfinite(scores) & (product.abs() > _CLOSE)]
            if not ratio.numel():
                continue
            got = torch.nn.functional.scaled_dot_product_attention(
                queries,
                keys.transpose(-2, -1),
                values,
                attn_mask=weights > 0,
                scale=float(ratio.median()),
            )
            apart = float((got - weights @ values).abs().max())
            if apart < _CLOSE:
                self._found = f"scaled_dot_product_attention gives the same, to {apart:.0e}"
            return

    def has_seen_enough(self) -> bool:
        """One comparison tells."""
        return bool(self._found)

    def conclude(self, ended: bool) -> Observation:
        """What the comparison has shown."""
        if self._found:
            return Observation(SHOWN, evidence=self._found)
        return Observation(OPEN, reason="no attention was seen there that torch's own would equal")


def hand_written_attention(job: Job) -> Observation:
    """TL815: equal results."""
    asked = Asked((*_PRODUCTS.split(), *_SOFTMAXES.split()), lambda call: None, times=1)
    question = Question(
        watch=lambda project, _: WrittenOut(project, job.target, asked), matters=MODEL
    )
    return investigate(job, question)
