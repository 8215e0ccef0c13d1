"""What part an argument plays in a training loop, told by how the code uses it."""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .statements import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Parts for which a stand-in will not do where a question is about what they compute.
MODEL = frozenset({"model", "criterion"})
ALL = MODEL | frozenset(
    "optimizer scheduler scaler accelerator loader settings flag rate count text data".split()
)
# Tensors that are made up for arguments which the code does not say are tensors.
UNTYPED_DATA = "untyped data"
_WRAPPERS = frozenset({"enumerate", "tqdm", "iter", "zip", "trange", "list", "reversed", "cycle"})
_MODEL = frozenset({"train", "eval", "parameters", "state_dict", "named_parameters", "modules"})
_TENSOR = frozenset({"to", "cuda", "size", "shape", "view", "float", "long", "dtype", "detach"})
_BUILT_IN = frozenset({"bool", "int", "float", "str"})
_EXPRESSIONS = (
    ("optimizer", r"optim|^opt$|^opt_?[a-z]$"),
    ("scheduler", r"sched"),
    ("scaler", r"scaler"),
    ("accelerator", r"^accelerator$|^fabric$"),
    ("device", r"device"),
    (
        "loader",
        r"loader|data_?iter|_dl$|^dl$|batches$|^(train|valid|val|test)_?(data|set|ds|iter)$",
    ),
    ("criterion", r"criterion|loss(_?fn|_?func|_?function)?$|^(ce|mse|bce)$|objective"),
    ("model", r"model|^net|net$|network|encoder|decoder|classifier|critic|backbone|policy|actor"),
    ("model", r"generator|discriminator|^[gd]$|^student$|^teacher$"),
    ("reporter", r"writer|logger|^log$|wandb|^tb$|visdom|progress|pbar|console|meter|tracker"),
    ("settings", r"^(args|opts?|config|cfg|conf|hparams|hps?|params|options)$"),
    ("flag", r"^(use_|is_|do_|no_|with_|verbose|debug|amp|fp16|save|early|quiet|log_)"),
    ("rate", r"^lr$|learning_rate|decay|^eps|momentum|^alpha|^beta|^gamma|^lam|weight$|clip|norm"),
    ("count", r"epoch|iter|step|interval|freq|^num|^n_|^n$|len|size|seed|start|rank|every|accum"),
    ("text", r"path|dir$|file|folder|name|^mode$"),
)
# Compiled once for all that is forked from here.
_NAMED = [(part, re.compile(expression)) for part, expression in _EXPRESSIONS]


@dataclass
class Usage:
    """What is done with a name or an attribute of ``self``."""

    attributes: set[str] = field(default_factory=set)
    annotation: str = ""
    called: bool = False
    iterated: bool = False
    appended: bool = False


def usages(nodes: Iterable[ast.AST]) -> dict[str, Usage]:
    """Uses of plain names (``x``) and of attributes (``self.x``) in some code."""
    found: dict[str, Usage] = {}
    for node in nodes:
        for path, what in _all_uses(node):
            _mark(found.setdefault(path, Usage()), what)
    return found


@functools.lru_cache(maxsize=256)
def _all_uses(node: ast.AST) -> tuple[tuple[str, str], ...]:
    return tuple(use for part in ast.walk(node) for use in _uses(part))


def role(path: str, usage: Usage) -> str:
    """The part that a thing plays; ``data`` where nothing speaks for another."""
    name = path.rpartition(".")[2].lower()
    if {"zero_grad", "step"} <= usage.attributes and "parameters" not in usage.attributes:
        return "optimizer"
    annotated = _by_annotation(usage.annotation)
    if annotated:
        return annotated
    for part, pattern in _NAMED:
        if pattern.search(name) and _fits(part, usage):
            return part
    if usage.iterated:
        return "loader"
    if usage.attributes & _MODEL or usage.called:
        return "model"
    if usage.attributes & _TENSOR:
        return "data"
    return "settings" if len(usage.attributes) > 1 else "data"


def _by_annotation(annotation: str) -> str:
    for part, words in (
        ("loader", ("DataLoader", "Iterable", "Iterator")),
        ("optimizer", ("Optimizer", "optim.")),
        ("scheduler", ("LRScheduler",)),
        ("scaler", ("GradScaler",)),
        ("criterion", ("Loss",)),
        ("model", ("Module",)),
        ("device", ("device",)),
        ("flag", ("bool",)),
        ("count", ("int",)),
        ("rate", ("float",)),
        ("text", ("str", "Path")),
        ("settings", ("Namespace", "Config", "Args")),
        ("data", ("Tensor",)),
    ):
        if any(_names(annotation, word) for word in words):
            return part
    return ""


def _names(annotation: str, word: str) -> bool:
    """Whether an annotation speaks of a type: of a built-in one as such, else as part of a name."""
    return bool(re.search(rf"\b{word}\b", annotation)) if word in _BUILT_IN else word in annotation


def _fits(part: str, usage: Usage) -> bool:
    """Names mislead: what is iterated is no model, what is called no count."""
    if usage.iterated:
        return part in ("loader", "reporter")
    if part == "loader":
        return not usage.called
    if part in ("count", "rate", "flag", "text", "device"):
        return not usage.called and not usage.attributes - {"type", "index"}
    return True


def _mark(usage: Usage, what: str) -> None:
    if what == "called":
        usage.called = True
    elif what == "iterated":
        usage.iterated = True
    else:
        usage.attributes.add(what)


def _uses(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Attribute):
        yield from ((path, node.attr) for path in _path(node.value))
    elif isinstance(node, ast.Call):
        yield from ((path, "called") for path in _path(node.func))
        if dotted(node.func).rpartition(".")[2] in ("next", "iter"):
            yield from ((path, "iterated") for part in node.args[:1] for path in _path(part))
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield from ((path, "iterated") for part in iterated(node.iter) for path in _path(part))


def iterated(node: ast.expr) -> Iterator[ast.expr]:
    """What a loop goes through, under ``enumerate``, ``tqdm`` and their like."""
    if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in _WRAPPERS:
        for argument in node.args:
            yield from iterated(argument)
    else:
        yield node


def _path(node: ast.AST) -> Iterator[str]:
    """``x`` or ``self.x``, if the node is one."""
    path = dotted(node)
    if path and path.count(".") == path.startswith("self.") and path != "self":
        yield path
