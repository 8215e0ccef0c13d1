"""TL909: keys that did not match, and nobody looks which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import names
from torchlint.interpreter.trace import Claim
from torchlint.interpreter.values import FALSE
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL909",
    name="strict-false-ignored",
    level=Level.PEDANTIC,
    names=lambda: (".load_state_dict",),
)
def strict_false_ignored(trace: Trace) -> Iterator[Claim]:
    """A state is loaded with `strict=False`, and nobody reads which keys did not match."""
    for call in names.calls(trace, ".load_state_dict"):
        given = call.arguments
        strict = given.keywords.get("strict", *given.positional[1:2] or (None,))
        if strict == FALSE and call.discarded:
            message = (
                "with `strict=False` weights that are missing keep their initial values, and "
                "nothing says so: read what `load_state_dict` returns"
            )
            yield Claim(call.spot, message)
