"""Pseudo-words for statements that call a method and drop what it gives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.skimming import lines_with
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

MOVE_DROPPED = "x.to();"
"""Something that is not called like a module is moved, and the result dropped."""

RESULT_DROPPED = "x.f();"
"""A method that changes nothing is called, or a flag read, and that is all."""

MOVES = frozenset({"to", "cuda", "cpu"})

CASTS = frozenset("float double half bfloat16 long int bool".split())
"""Of these, those to floats change a module, and give another tensor."""

OF_TENSORS = frozenset(
    "squeeze unsqueeze permute masked_fill masked_scatter index_fill index_copy index_add "
    "scatter_add view_as expand_as reshape_as type_as softmax log_softmax clamp clamp_min "
    "clamp_max nan_to_num tril triu movedim swapaxes sigmoid unflatten "
    "index_put reshape".split()
)
"""Methods that few things but tensors have."""

OTHERS = frozenset(
    "detach clone contiguous view flatten transpose expand repeat type abs neg exp sqrt rsqrt pow "
    "relu tanh scatter flip roll round floor ceil clip t add sub mul div log sort pin_memory "
    "coalesce to_dense to_sparse".split()
)
"""Methods that others have as well, for whom they may do something."""

RESULTS = OF_TENSORS | OTHERS | CASTS

OF_ARRAYS = frozenset(
    "astype clip flatten ravel repeat reshape round squeeze swapaxes transpose view".split()
)
"""Methods of NumPy's arrays that give another; to sort and to resize they do where they are."""

OF_LAYERS = frozenset({"from_pretrained"})
"""Methods of layers that give another one, as those of classes do."""

_COMMON = frozenset("add sub log sort round type div pow".split())
"""Names that so often stand for something else that they are not looked for."""

_SOUGHT = (RESULTS | MOVES | OF_LAYERS | OF_ARRAYS) - _COMMON
_NAMES = "|".join(sorted(_SOUGHT))
_STATEMENT = Pattern(
    # A line that goes on with what the one before has begun is no statement.
    r"(?:(?<![(\[{,=+*/|&\\-]\n)^|[;:])[ \t]*+(?:\[|(?:tuple|list)\()?"
    rf"([^\W\d][\w.]*?(?:\[[^]\n]*\])?)\.({_NAMES})"
    r"\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\)(?:[ \t]*(?:$|[#;])| for .*[\])][ \t]*(?:$|#)"
    # A tuple of calls is several statements in one.
    rf"|[ \t]*,[ \t]*[\w.]+\.(?:{_NAMES})\(.*\)[ \t]*(?:$|#))"
    r"|(?:^|[;:])[ \t]*+[\w.]+\.requires_grad[ \t]*(?:$|[#;])",
    re.MULTILINE,
)
_ARGUMENTS = r"\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\)"
_AFTER_A_WRITE = Pattern(
    rf"^[ \t]*+[^\W\d][\w.]*(?:\[[^]\n]*\])?(?:\.[a-z]\w*_{_ARGUMENTS})+"
    rf"\.(?:{'|'.join(sorted(RESULTS))}){_ARGUMENTS}[ \t]*(?:$|[#;])",
    re.MULTILINE,
)
"""A statement that changes a tensor where it is, and calls a method of what that gives."""

_MODULE = Pattern(
    r"model|net|module|loss|crit|coder|head|backbone|layer|former|ema|vae|pipe|classif|policy|actor"
    r"|critic|teacher|student|lora|tor\b|adapter|block|scheduler|metric|^self$|(?-i:^[A-Z])",
    re.IGNORECASE,
)
"""What modules are called, which are moved where they are."""

_LIBRARIES = frozenset("torch np plt math F dist".split())


def dropped(text: str, names: set[str]) -> Iterator[str]:
    """The pseudo-words of a region in which these identifiers stand."""
    marks = [f".{name}(" for name in _SOUGHT & names]
    lines = lines_with(text, [*marks, ".requires_grad"])
    for found in (found for line in lines for found in _STATEMENT.finditer(text, *line)):
        owner, method = found.groups()
        if owner in _LIBRARIES or "=out" in found[0].replace(" ", ""):
            continue
        if not is_of_module(owner, method):
            yield MOVE_DROPPED if method in MOVES else RESULT_DROPPED
    if "_(" in text and _AFTER_A_WRITE.search(text):
        yield RESULT_DROPPED


def is_of_module(owner: str, method: str) -> bool:
    """Whether a method moves or casts what is called like a module, or is asked of a class."""
    if method in OF_LAYERS:
        return owner.rpartition(".")[2][:1].isupper()
    return method in MOVES | CASTS and bool(_MODULE.search(owner))
