"""Pseudo-words of tensors that are handed to what takes others: indices, masks, data, arrays."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.project import trails
from torchlint.project.children import children
from torchlint.project.given import arguments
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

LISTED = "tensor([a])"
"""The pseudo-word of a region that makes a tensor of what may be a list of arrays."""

_READ = Pattern(r"\b(?:tensor|as_tensor|(?:Float|Double|Long|Int)?Tensor)\(")
_NUMBER = Pattern(
    r"(?:-?\d[\w.]*(?:(?<=e)-\d+)?|(?:int|float|bool|len)\([^()]*\)|[\w.]+ ?\*\* ?[\w.]+)\s*(?:,|$)"
)
_ONE = Pattern(r"\[?([^\W\d]\w*)\]?\s*(?:,|$)")
"""A name, or a list of it."""

_NO_LIST = r": (?:(?:int|float|bool|str|None|(?:torch\.)?Tensor)\b(?: \| )?)+(?= ?[,)=])"
"""How a parameter is annotated that is no list, and no array."""

INDEXED = "x[float]"
"""The pseudo-word of a region that makes floats or bytes, and looks up or masks by tensors."""

OF_A_NAME = "tensor(x)"
"""The pseudo-word of a region that makes a tensor of what torch has given."""

NUMPY = "numpy()!"
"""The pseudo-word of a region that hands NumPy something, and nowhere leaves the graph."""

UNMAPPED = "load(!map_location)"
"""The pseudo-word of a region that loads a file, and does not say where to."""

_LOADED = Pattern(r"\btorch\.load\(")
DOUBLES = "from_numpy()!"
"""The pseudo-word of a region that makes an array of floats, and a tensor of one as it is; or that
makes a tensor by sharing memory with what it was given or something else has made."""

INVERTED = "1-mask!"
"""The pseudo-word of a region that takes from one what was compared or made a truth there."""

_TRUTHS = (
    r"(?:[=!<>]=|[\w\])] ?[<>] ?[\w(-]|\.(?:eq|ne|lt|le|gt|ge|bool|isnan|isinf|isin"
    r"|logical_\w+)\()(?![^\n]*(?:\.(?:float|int|long|byte|double|half|type|type_as|to)\(|\bnp\.))"
)
_FROM_ONE = Pattern(
    rf"(?<![\w.\])])1(?:\.0?)? ?- ?(?:\([^()\n]*{_TRUTHS}|(?:torch\.)?[\w.]*{_TRUTHS}"
    r"|([^\W\d]\w*)\b(?![.(]))"
)

_ARRAYS = Pattern(
    r"\b(?:np|numpy|rng)\.(?:random\.)?(?:rand|randn|random|random_sample|normal|uniform"
    r"|standard_normal|zeros|ones|empty|full|linspace|arange|eye|array|loadtxt|genfromtxt|stack"
    r"|float64|bincount|unique)\(|\bcompute_class_weight\(|\bmake_\w+\(|\bload_\w+\(return_X_y|\b(?:fit_transform|train_test_split)\("
)
_TAKEN = Pattern(
    r"\btorch\.(from_numpy|as_tensor|tensor)\(\s*[\w.\[\]: ]*\)"
    r"(?!\.(?:float|long|int|half|bool|byte|to|type)\()"
)
_TAKEN_ANEW = Pattern(r"\btorch\.(?:from_numpy|as_tensor|tensor)\(\s*(?=(?:np|numpy)\.)")
_TYPED = Pattern(r"dtype|float32|astype")
_CAST = Pattern(r"\)\.(?:float|long|int|half|bool|byte|to|type)\(")
_LOOKING_UP = frozenset(
    "gather() index_select() scatter() scatter_() scatter_add() scatter_add_() index_add() "
    "index_add_() take_along_dim() one_hot() embedding() masked_fill() masked_fill_() "
    "masked_select()".split()
)
_LOOKS_UP = Pattern(rf"\b(?:{'|'.join(name[:-2] for name in sorted(_LOOKING_UP))})\(")
_OF_FLOATS = Pattern(
    r"\b(\w+) *=(?![^\n]*(?:arg|topk))"
    r"[^\n]*\b(?:zeros|ones|rand|randn|linspace|FloatTensor|Tensor)\("
)
_OF_A_NAME = Pattern(r"\btorch\.tensor\(\s*([^\W\d]\w*)(?:\[[^]\n]*\])?\s*[,)]")
_OF_A_CALL = Pattern(r"\btorch\.tensor\(\s*(?:(?:torch|F|nn|rnn)\.[\w.]*|pad_sequence)\(")
_GIVEN_BY_TORCH = r"(?:(?:torch|th|F|nn|rnn)\.|pad_sequence\()"
_NUMPY = Pattern(r"(?:\b\w+(?:\[[^]\n]*\])?|\))(?:\.cpu\(\))?\.numpy\(\)")
_CHANGING = frozenset(
    "abs argmax bool byte clamp clip clone contiguous cpu cuda cumsum div double exp expand "
    "flatten float half int log long max mean min movedim mul norm permute repeat reshape round "
    "sigmoid softmax sqrt squeeze sub sum t tanh to transpose type unsqueeze view".split()
)
"""Methods that tensors have, and other things seldom."""

_MASKING = frozenset(
    "masked_fill masked_fill_ masked_select masked_scatter masked_scatter_".split()
)
_OF_BYTES = Pattern(r"\.byte\(\)|\buint8\b|\bByteTensor\b")
"""What was a mask before there were tensors of booleans."""

_LEFT = Pattern(r"(?:detach\(\)|\.data|\.to\([\"']cpu[\"']\))(?:\.cpu\(\))?\.numpy\(\)")


def handed(text: str, names: set[str]) -> Iterator[str]:
    """The pseudo-words of a region in which these identifiers stand."""
    if ".tensor(" in text and (_OF_A_CALL.search(text) or _names_what_torch_gave(text)):
        yield OF_A_NAME
    if "ensor(" in text and any(_may_be_listed(text, at.end()) for at in _READ.finditer(text)):
        yield LISTED
    if ".load(" in text and any(
        "map_location" not in arguments(text, found.end()) for found in _LOADED.finditer(text)
    ):
        yield UNMAPPED
    taken = ("numpy(" in text or "tensor(" in text) and (
        _TAKEN.search(text) or _is_taken_anew(text)
    )
    if taken and _is_of_arrays(text):
        yield DOUBLES
    if ("1 -" in text or "1-" in text or "1. -" in text or "1.0 -" in text) and _inverts(text):
        yield INVERTED
    if ".numpy()" in text and "no_grad" not in text and _hands_over(text):
        yield NUMPY
    if _looks_up(text, names):
        yield INDEXED


def _names_what_torch_gave(text: str) -> bool:
    """Whether a tensor is made of a variable that was given what torch gives."""
    return any(
        re.search(rf"\b{name} *= *{_GIVEN_BY_TORCH}(?![^\n]*tensor\(\s*{name}\b)", text)
        for name in {found[1] for found in _OF_A_NAME.finditer(text)}
    )


def _may_be_listed(text: str, start: int) -> bool:
    """Whether what a tensor is made of may be a list of arrays."""
    given = arguments(text, start)
    one = _ONE.match(given)
    is_plain = one is not None and re.search(rf"\b{one[1]}{_NO_LIST}", text)
    return not is_plain and not _NUMBER.match(given)


def _looks_up(text: str, names: set[str]) -> bool:
    """Whether something of floats may be looked up by, or something of bytes be a mask."""
    if not names.isdisjoint(_MASKING) and _OF_BYTES.search(text):
        return True
    return not names.isdisjoint(_LOOKING_UP) and any(
        re.search(
            rf"(?:(?<!torch\.){_LOOKS_UP.pattern}|{_LOOKS_UP.pattern}[^\n]*[,=] ?)"
            rf"{found[1]}\b(?! *[=!<>])",
            text,
        )
        for found in _OF_FLOATS.finditer(text)
    )


def _is_taken_anew(text: str) -> bool:
    """Whether a tensor is made, as it is, of an array that is computed there."""
    for found in _TAKEN_ANEW.finditer(text):
        given = arguments(text, found.end())
        if not _TYPED.search(given) and not _CAST.match(text, found.end() + len(given)):
            return True
    return False


def _is_of_arrays(text: str) -> bool:
    """Whether what a tensor is made of, as it is, may be an array of floats."""
    # At the top level the array is another statement, and another region.
    within = text.lstrip().startswith(("def ", "async ", "@"))
    code = trails.parsed(text) if within else None
    if code is None:
        return True
    free = code.free
    made = code.trail(lambda call: _ARRAYS.match(f"{trails.called(call)}(") is not None, free)
    theirs: trails.Trail | None = None
    for node in code.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="tensor")) if _takes_of(node, made):
                return True
            case ast.Call(func=ast.Attribute(attr="from_numpy" | "as_tensor")):
                theirs = theirs or code.trail(lambda call: True, free | code.parameters)
                if _takes_of(node, theirs):
                    return True
    return False


def _takes_of(call: ast.Call, trail: trails.Trail) -> bool:
    """Whether a call has one argument, which is of a trail, and no list of such."""
    return (
        len(call.args) == 1
        and not isinstance(call.args[0], (ast.List, ast.Tuple))
        and trail.leads_to(call.args[0])
    )


def _hands_over(text: str) -> bool:
    """Whether a weight, or what a call that is not torch's gives, is handed over as it is."""
    plain = _LEFT.sub("", text)
    if not _NUMPY.search(plain):
        return False
    code = trails.parsed(text)
    if code is None:
        return True
    return any(
        _may_be_of_a_graph(node.func.value, plain)
        for node in code.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "numpy"
    )


def _may_be_of_a_graph(array: ast.expr, text: str) -> bool:
    """Whether what an array is made of may have come of a model, or is a weight."""
    pending: list[ast.AST] = [array]
    while pending:
        match pending.pop():
            case ast.Call(func=ast.Attribute(attr="detach")) | ast.Attribute(attr="data"):
                pass
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _CHANGING:
                pending.append(value)
            case ast.Subscript(value=value):
                pending.append(value)
            case ast.Call() as call:
                if trails.called(call).partition(".")[0] not in trails.LIBRARIES:
                    return True
            case ast.Name(id=name) | ast.Attribute(attr=name):
                if name in {"weight", "bias"} or _is_given(name, text):
                    return True
            case other:
                pending.extend(children(other))
    return False


def _is_given(name: str, text: str) -> bool:
    """Whether a variable gets what a call that is not torch's gives, or asks for a gradient."""
    return bool(
        re.search(rf"\b{name} *= *(?:self\.)?(?!np\b)\w+(?:\(|\.cuda\()", text)
        or re.search(rf"\b{name} *=[^\n]*requires_grad=True", text)
    )


def _inverts(text: str) -> bool:
    """Whether something is taken from one that was compared there, or made a truth before."""
    return any(
        not found[1] or re.search(rf"\b{found[1]} *=(?!=)[^\n]*{_TRUTHS}", text)
        for found in _FROM_ONE.finditer(text)
    )
