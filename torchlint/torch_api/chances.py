"""Transforms of torchvision that leave something to chance."""

from __future__ import annotations

from torchlint.sources.patterns import Pattern

_CHANCES = Pattern(
    r"(?:Random\w+|ColorJitter|AutoAugment|RandAugment|TrivialAugmentWide|AugMix|ElasticTransform)"
)


def is_by_chance(name: str) -> bool:
    """Whether a transform of this name draws what it does."""
    return _CHANCES.fullmatch(name) is not None
