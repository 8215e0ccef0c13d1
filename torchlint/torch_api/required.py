"""Arguments that torch asks for, and warns about where they are left out."""

from __future__ import annotations

from torchlint.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Required:
    """An argument, the value that stands for saying nothing, and since when it is there.

    The releases that have it warn, and ``why`` says what for. It may be the one ``at`` a position.
    """

    argument: str
    value: str
    since: str
    why: str
    at: int | None = None


_ASKED_FOR = "and means to ask for it"
_CHANGED = "where the default became another"

REQUIRED = {
    "torch.meshgrid": Required("indexing", '"ij"', "1.10", _ASKED_FOR),
    "torch.nn.functional.affine_grid": Required("align_corners", "False", "1.3", _CHANGED, 2),
    "torch.nn.functional.grid_sample": Required("align_corners", "False", "1.3", _CHANGED, 4),
}
