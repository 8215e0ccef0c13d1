"""Claims about classes: what making their objects, and calling these, comes to."""

from __future__ import annotations

from ..claims import NOTHING, Raises

missing_super_init = Raises(
    r"before Module\.__init__\(\) call|no attribute '_(?:modules|parameters|buffers)'",
    (AttributeError,),
    matters=NOTHING,
)
