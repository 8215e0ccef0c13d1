"""Portability: whether a file runs where its writer did, or wherever there is a device."""

from __future__ import annotations

import re
from functools import lru_cache

_ASKS = re.compile(
    r"\b(?:cuda|mps|xpu|accelerator)\.(?:is_available|device_count|current_accelerator)\("
)
_INSISTS = re.compile(
    r"\bassert +torch\.cuda\.is_available\("
    r"|\bif +not +torch\.cuda\.is_available\(\):\s*(?:raise|sys\.exit|exit)\b"
)
_TOLD = re.compile(
    r"""["']-{1,2}(?:no[-_]?cuda|use[-_]?(?:cuda|gpu|cpu)|cuda|cpu|gpu|device)["']"""
    r"|\btorch\.device\((?! *[\"'](?:cuda|cpu))[^)]"
    r"|\bdef +\w+\((?:[^()]*[ (,])?(?:device|map_location)\b"
)
_RANKS = re.compile(r"\binit_process_group\(|\blocal_rank\b|\bDistributedDataParallel\b")
_LINE = re.compile(r"[^\n]+")
_NARROW = re.compile(
    r"\.(?:half|bfloat16)\(\)|\btorch_dtype\b"
    r"|(?:\.to\(|\bdtype *= *)torch\.(?:bfloat16|float16|half)\b"
)


@lru_cache(maxsize=256)
def chooses(text: str) -> bool:
    """Whether a file asks which devices there are, or is told which to use."""
    return bool(_TOLD.search(text)) or len(_ASKS.findall(text)) > len(_INSISTS.findall(text))


@lru_cache(maxsize=256)
def is_distributed(text: str) -> bool:
    """Whether a file runs as several processes, each with a device of its own."""
    return bool(_RANKS.search(text))


@lru_cache(maxsize=4096)
def is_narrow(text: str) -> bool:
    """Whether a file casts something to a floating point type of 16 bits, but by autocast."""
    lines = (found.group() for found in _LINE.finditer(text))
    return bool(_NARROW.search(text)) and any(
        _NARROW.search(line) and "autocast" not in line for line in lines
    )
