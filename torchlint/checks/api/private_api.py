"""TL904: names of torch that may change with any release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import names
from torchlint.interpreter.trace import Claim
from torchlint.project.private import EVERY
from torchlint.registry import check
from torchlint.ruleoptions import Names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL904",
    name="private-api",
    level=Level.PEDANTIC,
    names=lambda: (EVERY,),
    options=(Names("allow", "names that may be used, and with a name all that lies in it"),),
)
def private_api(trace: Trace) -> Iterator[Claim]:
    """A name of torch that is not public is used."""
    for named in names.private(trace):
        new = names.instead(trace, named.name)
        hint = f": use {new}" if new else ""
        message = f"`{named.name}` is not public, and may change with any release of torch{hint}"
        repair = fixing.renewed(named.spot, named.name) if new else None
        yield Claim(named.spot, message, repair=repair, about=(("allow", named.name),))
