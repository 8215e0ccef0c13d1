"""What was measured, drawn: how memory or gradients grow from round to round, what rows sum to."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torchlint.findings import Series

_WIDTH, _HEIGHT = 240.0, 60.0
_LEFT, _TOP, _BELOW = 52.0, 6.0, 16.0
# Rows are side by side, all else comes one after the other.
_BESIDE = ("row",)


def plot(measured: Sequence[Series]) -> Iterator[str]:
    """A figure of the series, which share their axes; nothing where nothing was measured."""
    if not measured:
        return
    low = min(0.0, *(value for series in measured for value in series.values))
    high = max(0.0, *(value for series in measured for value in series.values))
    longest = max(len(series.values) for series in measured)
    per = measured[0].per
    label = escape("; ".join(f"{each.of}: {_listed(each)}" for each in measured))
    size = f"{_LEFT + _WIDTH + 8:g} {_TOP + _HEIGHT + _BELOW:g}"
    yield f'<figure>\n<svg viewBox="0 0 {size}" role="img" aria-label="{label}">'
    yield from _axes(low, high, longest)
    for number, series in enumerate(measured):
        points = _points(series, low, high, longest)
        draw = _bars if series.per in _BESIDE else _line
        yield f'<g class="series{number}">{draw(points, _height(0.0, low, high))}</g>'
    names = (
        f'<span class="series{number}">{escape(each.of)}</span>'
        for number, each in enumerate(measured)
    )
    yield f"</svg>\n<figcaption>{', '.join(names)} by {escape(per)}</figcaption>\n</figure>"


def _axes(low: float, high: float, longest: int) -> Iterator[str]:
    bottom, right = _TOP + _HEIGHT, _LEFT + _WIDTH
    zero = _height(0.0, low, high)
    yield f'<path d="M{_LEFT:g} {_TOP:g}V{bottom:g}M{_LEFT:g} {zero:.1f}H{right:g}"></path>'
    for value in dict.fromkeys((low, 0.0, high)):
        y = _height(value, low, high) + 4
        yield f'<text x="{_LEFT - 5:g}" y="{y:.1f}" text-anchor="end">{value:.4g}</text>'
    for number in (1, longest):
        x = _across(number - 1, longest)
        y = bottom + _BELOW - 3
        yield f'<text x="{x:.1f}" y="{y:g}" text-anchor="middle">{number}</text>'


def _points(
    series: Series, low: float, high: float, longest: int
) -> list[tuple[float, float, str]]:
    """Where each value is, and what it says when it is pointed at."""
    return [
        (
            _across(index, longest),
            _height(value, low, high),
            escape(f"{series.of}, {series.per} {index + 1}: {value:.6g}"),
        )
        for index, value in enumerate(series.values)
    ]


def _line(points: Sequence[tuple[float, float, str]], zero: float) -> str:
    course = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    dots = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"><title>{said}</title></circle>'
        for x, y, said in points
    )
    return f'<polyline points="{course}"></polyline>{"".join(dots)}'


def _bars(points: Sequence[tuple[float, float, str]], zero: float) -> str:
    wide = min(12.0, 0.7 * _WIDTH / len(points))
    return "".join(
        f'<rect x="{x - wide / 2:.1f}" y="{min(y, zero):.1f}" width="{wide:.1f}" '
        f'height="{abs(y - zero):.1f}"><title>{said}</title></rect>'
        for x, y, said in points
    )


def _across(index: int, longest: int) -> float:
    """Half a place is left free on either side."""
    return _LEFT + _WIDTH * (index + 0.5) / longest


def _height(value: float, low: float, high: float) -> float:
    return _TOP + _HEIGHT * (high - value) / (high - low or 1.0)


def _listed(series: Series) -> str:
    return ", ".join(f"{value:.4g}" for value in series.values)
