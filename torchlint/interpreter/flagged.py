"""Flags: what is handed on where a test has found it true, which the callee may test again."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import names
from torchlint.interpreter.values import TRUE, Const, either

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Spot, Value


def handed(machine: Machine, arguments: Arguments, spot: Spot) -> Arguments:
    """The arguments of a call of the project's, in which flags for a device are as tested.

    Others decide on what does not matter here, and there are many of them.
    """
    flags, node = machine.activation.flags, spot.node
    if not flags or not isinstance(node, ast.Call):
        return arguments
    positional, keywords = list(arguments.positional), dict(arguments.keywords)
    received = len(positional) - len(node.args)
    spread = any(isinstance(each, ast.Starred) for each in node.args)
    for at, given in enumerate([] if spread else node.args, start=received):
        if names.dotted(given) in flags and 0 <= at < len(positional):
            positional[at] = _true(positional[at])
    for keyword in node.keywords:
        if keyword.arg in keywords and names.dotted(keyword.value) in flags:
            keywords[keyword.arg] = _true(keywords[keyword.arg])
    return replace(arguments, positional=tuple(positional), keywords=keywords)


def _true(value: Value) -> Value:
    return value if isinstance(value, Const) else either((value, TRUE), truth=True)
