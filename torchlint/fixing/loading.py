"""Loaders that can be built."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site


@fix
def without(spot: Site, names: tuple[str, ...]) -> Repair | None:
    """Take the one argument out of a call that it cannot be made with."""
    match spot.node:
        case cst.Call(args=arguments) as call if len(names) == 1:
            for argument in arguments:
                if argument.keyword is not None and argument.keyword.value == names[0]:
                    made = edits.without_argument(spot.region, call, argument)
                    title = f"Leave `{names[0]}` out"
                    return Repair(title, Safety.UNSAFE, made) if made else None
    return None
