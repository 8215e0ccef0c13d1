"""Claims about shapes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..claims import UNDER, Raises


@dataclass(frozen=True)
class _FlatRaises(Raises):
    """A layer refuses one row with the features of several samples, or one without a batch."""

    def predicts(self, error: BaseException) -> bool:
        """Whether the row is so many times as long as the layer takes."""
        found = re.search(self.message, str(error))
        if not isinstance(error, self.kinds) or found is None:
            return False
        numbers = [int(number) for number in found.groups() if number]
        return not numbers or (numbers[0] > numbers[1] and numbers[0] % numbers[1] == 0)


flattened_batch = _FlatRaises(
    r"shapes cannot be multiplied \(1x(\d+) and (\d+)x|got 1D input",
    (RuntimeError, ValueError),
    UNDER,
)
