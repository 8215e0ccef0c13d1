"""A row of numbers in a sentence, drawn as a line: how memory or gradients grow by round."""

from __future__ import annotations

import re

_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_ROW = re.compile(rf"(?<![\w.(\[]){_NUMBER}(?:(?:, | and |, and ){_NUMBER}){{2,}}(?![\w)\]])")
_WIDTH, _HEIGHT = 100.0, 20.0


def plot(sentence: str) -> str:
    """The first row of three numbers or more as an image; nothing where there is none.

    Numbers in brackets are the sizes of a tensor.
    """
    row = _ROW.search(sentence)
    if row is None:
        return ""
    values = [float(number) for number in re.findall(_NUMBER, row[0])]
    low, high = min(0.0, *values), max(values)
    scale = _HEIGHT / (high - low or 1.0)
    step = _WIDTH / (len(values) - 1)
    points = " ".join(
        f"{index * step:.1f},{_HEIGHT - (value - low) * scale:.1f}"
        for index, value in enumerate(values)
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" preserveAspectRatio="none" role="img" '
        f'aria-label="{row[0]}"><polyline points="{points}"></polyline></svg>'
    )
