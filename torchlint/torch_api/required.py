"""Arguments that torch is going to ask for, and warns about until then where they are left out."""

from __future__ import annotations

from torchlint.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Required:
    """An argument by keyword, the value that stands for saying nothing, and since when it is there.

    The releases that have it warn.
    """

    argument: str
    value: str
    since: str


REQUIRED = {"torch.meshgrid": Required("indexing", '"ij"', "1.10")}
