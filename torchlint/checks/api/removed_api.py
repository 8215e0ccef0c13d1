"""TL901: names that torch no longer has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import names
from torchlint.interpreter.trace import Claim
from torchlint.registry import ALONE, check
from torchlint.torch_api import history

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL901",
    name="removed-api",
    level=Level.CORRECTNESS,
    names=history.removed_names,
    words={"symeig()", "lstsq()", "eig()", "align_to()", "refine_names()"},
    callers=ALONE,
    supersedes={"TL904"},
)
def removed_api(trace: Trace) -> Iterator[Claim]:
    """A name that torch no longer has, or that does nothing but raise."""
    for named, fate in names.gone(trace):
        does = "only raises" if fate.refuses else "is gone"
        new = names.instead(trace, named.name)
        hint = f": use `{new}`" if new else ""
        message = f"`{named.name}` {does} in torch {fate.removed} and later{hint}"
        repair = fixing.renewed(named.spot, named.name) if new else None
        yield Claim(named.spot, message, repair=repair)
