"""Notebooks for tests: made of the texts of their cells, written in any way that JSON may be."""

from __future__ import annotations

import json
from typing import Any


def notebook(*cells: str | dict[str, Any], **metadata: object) -> dict[str, Any]:
    """A notebook of these cells, as Jupyter has them in memory: texts of code, or whole cells."""
    return {
        "cells": [cell if isinstance(cell, dict) else code(cell) for cell in cells],
        "metadata": metadata,
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def code(text: str, **metadata: object) -> dict[str, Any]:
    """A cell of code."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }


def prose(text: str) -> dict[str, Any]:
    """A cell of Markdown."""
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def written(content: object) -> str:
    """A notebook as Jupyter writes it."""
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
