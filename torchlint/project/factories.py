"""Pseudo-words of calls that make tensors, by what they do not say of them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.project import trails
from torchlint.project.given import arguments
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACELESS = "zeros(!device)"
"""A tensor is made, and nothing says where."""

TYPELESS = "zeros(!dtype)"
"""A tensor of floats is made where something says, and nothing says of what type."""

JOINED = "zeros(!device)+x"
"""Such a tensor meets one that a function takes, and has moved or handed to another."""

IN_STEP = "step:zeros(!device)"
"""Such a tensor is made in a step that Lightning calls."""

_STEP = Pattern(r"\bdef (?:training|validation|test|predict)_step\(")

FLOATS = frozenset("zeros ones rand randn linspace logspace eye full".split())
FACTORIES = frozenset(
    "arange as_tensor asarray bartlett_window blackman_window empty empty_permuted empty_strided "
    "from_file hamming_window hann_window kaiser_window normal randint randperm scalar_tensor "
    "tensor tril_indices triu_indices from_numpy frombuffer".split()
)
_MADE = Pattern(
    rf"\b(?<![\w)\]]\.)(?:(?:torch|th|pt|t)\.)?({'|'.join(sorted(FLOATS | FACTORIES))})\("
)
_DRAWN = Pattern(r"[ \t]*(\w+) = torch\.rand\((?:\[\]|\(\))\)[ \t]*(?:$|#)", re.MULTILINE)


def factories(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    missing = {PLACELESS, TYPELESS}
    for found in _MADE.finditer(text):
        if not missing:
            return
        given = arguments(text, found.end())
        if given in {"[]", "()"} and _is_compared(text, found.start()):
            continue
        if "device" not in given and "**" not in given:
            if PLACELESS in missing and "Tensor" in text and _joins(text):
                yield JOINED
            if PLACELESS in missing and "_step(" in text and _STEP.search(text):
                yield IN_STEP
            missing.discard(PLACELESS)
            yield PLACELESS
        elif found[1] in FLOATS and "dtype" not in given:
            missing.discard(TYPELESS)
            yield TYPELESS


def is_factory(node: ast.AST) -> bool:
    """Whether some code makes a tensor of floats: anew, or like another one."""
    name = node.func if isinstance(node, ast.Call) else None
    called = name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")
    return called.removeprefix("new_").removesuffix("_like") in FLOATS


def _is_compared(text: str, start: int) -> bool:
    """Whether a single number is drawn and no more than compared, for which it may be anywhere."""
    drawn = _DRAWN.match(text, text.rfind("\n", 0, start) + 1)
    no_more = r"(?! (?:[<>]|= torch\.rand\())"
    return drawn is not None and not re.search(rf"\b{drawn[1]}\b{no_more}", text)


def _joins(text: str) -> bool:
    """Whether what is made with no word of a device meets what may be known to have another."""
    code = trails.parsed(text)
    if code is None:
        return False
    taken = code.trail(lambda call: False, code.taken("Tensor"))
    made = code.trail(_is_placeless)
    theirs = code.trail(lambda call: _is_placed(call, taken))
    for parts in map(_together, code.nodes):
        new = [made.leads_to(part) for part in parts]
        if any(new) and any(
            theirs.leads_to(part) and not is_new for part, is_new in zip(parts, new, strict=True)
        ):
            return True
    return False


def _is_placed(call: ast.Call, taken: trails.Trail) -> bool:
    """Whether a call moves what is taken, or may do so as it is one of another function."""
    match call.func:
        case ast.Attribute(value=value, attr="to" | "cuda"):
            return taken.leads_to(value)
        case ast.Name():
            return any(map(taken.leads_to, call.args))
    return False


def _is_placeless(call: ast.Call) -> bool:
    said = any(keyword.arg in {"device", None} for keyword in call.keywords)
    return not said and _MADE.match(f"{trails.called(call)}(") is not None


def _together(node: ast.AST) -> list[ast.expr]:
    """What is computed with, or listed, together."""
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return parts
        case ast.Call(args=parts) if trails.called(node).partition(".")[0] in trails.LIBRARIES:
            return parts
    return []
