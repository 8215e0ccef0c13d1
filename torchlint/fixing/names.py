"""Names that torch gives up, replaced where what is written for them does the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits, tree
from torchlint.fixing.flags import torch_name
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair
from torchlint.torch_api import torchvision
from torchlint.torch_api.replacements import replacement

if TYPE_CHECKING:
    from torchlint.fixing.written import Site, Written
    from torchlint.torch_api.replacements import Replacement

_ARGUMENT = re.compile(r"(?:(\w+)=)?(?:\{(\w+)\}|(\".*\"))$")


@fix
def renewed(spot: Site, name: str) -> Repair | None:
    """Call what stands for a name; a method ``torch.Tensor.x`` becomes a function."""
    new = replacement(name)
    if new is None or new.by_hand:
        return None
    made = _edits(spot, name, new)
    return Repair(f"Use `{new.use}`", Safety.SAFE, made) if made else None


def _edits(spot: Site, name: str, new: Replacement) -> edits.Edits | None:
    region, node = spot.region, spot.node
    is_method = name.startswith("torch.Tensor.")
    if isinstance(node, cst.ImportAlias):
        return _imported(region, node, name, new)
    if not isinstance(node, cst.Call):
        callee = _renamed(region, node, name, new) if not is_method else None
        if callee is None:
            return None
        if new.last and not new.takes:
            return _within(callee, f"({new.last})")
        return callee if new.renames else None
    if is_method:
        return _of_method(region, node, new)
    callee = _renamed(region, node.func, name, new)
    if callee is None or new.renames:
        return callee
    if new.takes:
        text = _arguments(region, node, new, None)
        return None if text is None else _whole(region, node, callee, text)
    if new.first:
        inserted = _first(region, node, new.first)
        return (*callee, *inserted)
    added = edits.with_argument(region, node, new.last)
    return (*callee, *added) if added else None


def _imported(
    region: Written, node: cst.ImportAlias, name: str, new: Replacement
) -> edits.Edits | None:
    """Import the new name as what the old one is called in the file."""
    statement = tree.parent(region, node)
    if not isinstance(statement, cst.ImportFrom) or statement.module is None or not new.renames:
        return None
    home, _, short = new.use.rpartition(".")
    made: edits.Edits = ()
    if name.rpartition(".")[0] != home:
        if isinstance(statement.names, cst.ImportStar) or len(statement.names) > 1:
            return None
        made += edits.replaced(region, statement.module, home)
    if node.evaluated_name != short:
        text = short if node.asname else f"{short} as {node.evaluated_name}"
        made += edits.replaced(region, node.name, text)
    return made


def _renamed(region: Written, node: cst.CSTNode, name: str, new: Replacement) -> edits.Edits | None:
    """The edits that put the new name where the old one stands."""
    if name.rpartition(".")[0] == new.use.rpartition(".")[0] and isinstance(node, cst.Attribute):
        return edits.replaced(region, node.attr, new.use.rpartition(".")[2])
    torch = torch_name(region)
    if torch is None or not isinstance(node, (cst.Name, cst.Attribute)):
        return None
    return edits.replaced(region, node, torch + new.use.removeprefix("torch"))


def _within(callee: edits.Edits, text: str) -> edits.Edits:
    (place, name), *_ = callee
    return ((place, name + text),)


def _of_method(region: Written, node: cst.Call, new: Replacement) -> edits.Edits | None:
    torch = torch_name(region)
    if torch is None or not new.takes or not isinstance(node.func, cst.Attribute):
        return None
    text = _arguments(region, node, new, node.func.value)
    if text is None:
        return None
    return edits.replaced(region, node, f"{torch}{new.use.removeprefix('torch')}({text})")


def _whole(region: Written, node: cst.Call, callee: edits.Edits, text: str) -> edits.Edits | None:
    """The call written anew, unless a comment in it would be lost."""
    if "#" in region.source_of(node) or "\n" in text:
        return None
    (place, name), *_ = callee
    if isinstance(node.func, cst.Attribute) and place != region.place(node.func):
        name = f"{region.source_of(node.func.value)}.{name}"
    return edits.replaced(region, node, f"{name}({text})")


def _first(region: Written, node: cst.Call, argument: str) -> edits.Edits:
    """Put an argument before the others."""
    if not node.args:
        added = edits.with_argument(region, node, argument)
        return added or ()
    return edits.put_before(region, node.args[0], f"{argument}, ")


def _arguments(
    region: Written, node: cst.Call, new: Replacement, receiver: cst.BaseExpression | None
) -> str | None:
    """The arguments of the new call; None where those of the old one are not all understood."""
    if "#" in region.source_of(node) or any(argument.star for argument in node.args):
        return None
    given = [receiver] if receiver is not None else []
    given += [argument.value for argument in node.args if argument.keyword is None]
    keywords = {
        argument.keyword.value: argument.value
        for argument in node.args
        if argument.keyword is not None
    }
    if new.takes == "*":
        listed = ", ".join(map(region.source_of, given))
        return None if keywords or len(given) < 2 else f"[{listed}]"
    parameters = new.takes.split()
    if len(given) > len(parameters) or not keywords.keys() <= set(parameters[len(given) :]):
        return None
    bound = dict(zip(parameters, given, strict=False)) | keywords
    if not set(new.given.split()) <= bound.keys():
        return None
    if parameters and parameters[0] == "input" and "input" not in bound:
        return None
    texts = {name: region.source_of(value) for name, value in bound.items()}
    return _written(new, texts)


def _written(new: Replacement, texts: dict[str, str]) -> str | None:
    for name, known in new.values.items():
        text = known.get(texts.get(name, ""))
        if name in texts and text is None:
            return None
        if text is not None:
            texts[name] = text
    written = []
    for argument in new.gives.split():
        found = _ARGUMENT.match(argument)
        assert found is not None
        keyword, parameter, literal = found.groups()
        text = literal or texts.get(parameter, "")
        if text:
            written.append(f"{keyword}={text}" if keyword else text)
    return ", ".join(written)


@fix
def weights_only(spot: Site) -> Repair | None:
    """Load weights, and refuse what would run code."""
    match spot.node:
        case cst.Call(args=given) as call:
            for argument in given:
                if argument.keyword is not None and argument.keyword.value == "weights_only":
                    made = edits.replaced(spot.region, argument.value, "True")
                    return Repair("Load weights only", Safety.UNSAFE, made)
            added = edits.with_argument(spot.region, call, "weights_only=True")
            return Repair("Load weights only", Safety.UNSAFE, added) if added else None
    return None


@fix
def weights(spot: Site, name: str) -> Repair | None:
    """``pretrained=True`` becomes ``weights="IMAGENET1K_V1"``, as do its kin."""
    known = torchvision.builder(name) or {}
    if not isinstance(spot.node, cst.Call) or any(item.star for item in spot.node.args):
        return None
    positional = [item for item in spot.node.args if item.keyword is None]
    made: list[edits.Edits] = []
    for argument in spot.node.args:
        old = argument.keyword.value if argument.keyword is not None else "pretrained"
        if old not in known:
            continue
        value = _weights(spot.region, argument.value, known[old])
        if value is None or len(positional) > 1:
            return None
        new = torchvision.LEGACY[old]
        if argument.keyword is None:
            made.append(edits.replaced(spot.region, argument.value, f"{new}={value}"))
        else:
            made.append(edits.replaced(spot.region, argument.keyword, new))
            made.append(edits.replaced(spot.region, argument.value, value))
    return Repair("Use weights", Safety.SAFE, tuple(edit for part in made for edit in part))


def _weights(region: Written, value: cst.BaseExpression, member: str) -> str | None:
    match value:
        case cst.Name(value="False"):
            return "None"
        case cst.Name(value="True"):
            return f'"{member}"' if member else None
        case cst.Name() | cst.Attribute() if member:
            return f'"{member}" if {region.source_of(value)} else None'
    return None


@fix
def last_part(spot: Site, new: str) -> Repair | None:
    """Call something by the name that it has now, where it is an attribute."""
    node = spot.node.func if isinstance(spot.node, cst.Call) else spot.node
    if not isinstance(node, cst.Attribute):
        return None
    made = edits.replaced(spot.region, node.attr, new.rpartition(".")[2])
    return Repair(f"Use `{new}`", Safety.SAFE, made)


@fix
def by_next(spot: Site) -> Repair | None:
    """``batches.next()`` becomes ``next(batches)``."""
    match spot.node:
        case cst.Call(func=cst.Attribute(value=source), args=[]) as call:
            pass
        case _:
            return None
    if "#" in spot.region.source_of(call):
        return None
    made = edits.replaced(spot.region, call, f"next({spot.region.source_of(source)})")
    return Repair("Use `next(…)`", Safety.SAFE, made)


@fix
def last_rates(spot: Site) -> Repair | None:
    """``scheduler.get_lr()`` becomes ``scheduler.get_last_lr()``."""
    match spot.node:
        case cst.Call(func=cst.Attribute(attr=name)):
            made = edits.replaced(spot.region, name, "get_last_lr")
            return Repair("Use `get_last_lr()`", Safety.UNSAFE, made)
    return None


@fix
def factors_last(spot: Site, factors: tuple[str, ...]) -> Repair | None:
    """``x.add_(2, y)`` becomes ``x.add_(y, alpha=2)``."""
    region, call = spot.region, spot.node
    if not isinstance(call, cst.Call) or any(item.keyword or item.star for item in call.args):
        return None
    numbers = call.args[: len(factors)]
    texts = [region.source_of(number.value) for number in numbers]
    said = ", ".join(f"{name}={text}" for name, text in zip(factors, texts, strict=True))
    taken = [edits.without_argument(region, call, number) for number in numbers]
    added = edits.with_argument(region, call, said)
    if any("\n" in text for text in texts) or None in taken or added is None:
        return None
    made = (edit for without in taken for edit in without or ())
    return Repair(f"Give it as `{'` and `'.join(factors)}`", Safety.SAFE, (*made, *added))


@fix
def argument_renamed(spot: Site, old: str, new: str) -> Repair | None:
    """Give an argument by the name that it has now."""
    for item in spot.node.args if isinstance(spot.node, cst.Call) else ():
        if item.keyword is not None and item.keyword.value == old:
            return Repair(
                f"Use `{new}`", Safety.SAFE, edits.replaced(spot.region, item.keyword, new)
            )
    return None


@fix
def said(spot: Site, argument: str) -> Repair | None:
    """Say by keyword what a call does anyway."""
    if not isinstance(spot.node, cst.Call):
        return None
    made = edits.with_argument(spot.region, spot.node, argument)
    return Repair(f"Say `{argument}`", Safety.SAFE, made) if made is not None else None
