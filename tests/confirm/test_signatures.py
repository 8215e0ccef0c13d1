"""Signatures and fields are told whatever Python makes of their annotations."""

from __future__ import annotations

import inspect
import sys

import pytest

from torchlint.confirm.runner.signatures import fields_of, signature_of

BLOCK = """
class Base:
    base: int = 1

class Block(Base):
    width: int = 4
    inner: "Inner"

    def __init__(self, width: int, inner: "Inner" = None): ...
"""

Told = dict[str, object]


def made(text: str) -> type:
    names: dict[str, type] = {"__name__": __name__}  # type: ignore[dict-item]
    exec(compile(text, "block.py", "exec", dont_inherit=True), names)
    return names["Block"]


def told(cls: type) -> tuple[Told, Told]:
    parameters = signature_of(cls).parameters.values()
    return dict(fields_of(cls)), {each.name: each.annotation for each in parameters}


def test_texts_stay_texts() -> None:
    expected = {"width": int, "inner": "Inner"}
    assert told(made(BLOCK)) == (expected, expected)
    assert signature_of(made(BLOCK)).parameters["width"].default is inspect.Parameter.empty


@pytest.mark.skipif(sys.version_info < (3, 14), reason="Python looks for the name at once")
def test_what_only_type_checkers_import_is_a_text() -> None:
    expected = {"width": int, "inner": "Inner"}
    assert told(made(BLOCK.replace('"Inner"', "Inner"))) == (expected, expected)
