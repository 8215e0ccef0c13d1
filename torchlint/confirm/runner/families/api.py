"""Claims about names that torch gives up, and about what is loaded, compiled and exported."""

from __future__ import annotations

from ..claims import NOTHING, Raises, Warns

removed_api = Raises(
    r"has no attribute '|was deprecated since version .* and is now removed|cannot import name '",
    (AttributeError, RuntimeError, ImportError),
    matters=NOTHING,
)

deprecated_api = Warns(
    r"deprecated|in favor of|was renamed|has been renamed", Warning, matters=NOTHING
)
