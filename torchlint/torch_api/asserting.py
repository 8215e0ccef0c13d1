"""Functions that go on only if what they are given is true."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import conditions
from torchlint.interpreter.values import NONE
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value

_CHECKS = ("", "_value", "_index", "_type", "_tensor_all", "_with")


@function("torch._assert", *(f"torch._check{kind}" for kind in _CHECKS))
def _asserted(call: Call) -> Value:
    node = call.spot.node
    if isinstance(node, ast.Call) and node.args:
        conditions.narrow(call.machine, node.args[0], positive=True, lasting=True)
    return NONE
