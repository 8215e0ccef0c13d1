"""TL609: workers that are begun by whoever imports the file, themselves included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import loading
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL609",
    name="main-guard",
    level=Level.SUSPICIOUS,
    words={"backward()"},
    callers={"backward()"},
)
def main_guard(trace: Trace) -> Iterator[Claim]:
    """A program loads with workers outside of `if __name__ == "__main__":`."""
    for event, built in loading.begun_by_import(trace):
        message = (
            'this begins workers outside of `if __name__ == "__main__":`; where they are spawned '
            "each of them imports this file, and would begin workers of its own"
        )
        because = (
            (built.spot, "the loader has workers"),
            (event.what.spot, "they begin with this loop"),
        )
        yield Claim(event.spot, message, because)
