"""Tensors, created where they are used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits, tree
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site, Written

_TENSOR_USE = r"\b{name}\.(?:shape|size|device|dtype|view|reshape|permute|transpose|flatten)\b"
"""What shows that a name means a tensor, in a function that is never given anything else."""

_OF_MEMORY = frozenset({"from_numpy", "frombuffer"})
"""What makes a tensor of memory that is there, and so on the CPU."""


@fix
def follow_argument(factory: Site) -> Repair | None:
    """Add ``device=x.device`` to a factory in a forward whose first argument is a tensor ``x``.

    What takes no ``device=`` is followed by ``.to(x.device)``.
    """
    region = factory.region
    function = region.statement
    if not isinstance(function, cst.FunctionDef) or function.name.value != "forward":
        return None
    node = factory.node
    parameters = function.params.params
    if len(parameters) < 2 or not isinstance(node, cst.Call) or not node.args:
        return None
    name = parameters[1].name.value
    annotation = parameters[1].annotation
    if annotation is None:
        known = re.search(_TENSOR_USE.format(name=re.escape(name)), region.text) is not None
    else:
        known = "Tensor" in region.source_of(annotation.annotation).partition("[")[0]
    if not known or any(argument.star for argument in node.args):
        return None
    called = region.source_of(node.func).rpartition(".")[2]
    if called in _OF_MEMORY or called.endswith("Tensor"):
        moved = edits.put_after(region, node, f".to({name}.device)")
        return Repair(f"Move it to where `{name}` is", Safety.SAFE, moved)
    made = edits.with_argument(region, node, f"device={name}.device")
    return Repair(f"Create it where `{name}` is", Safety.SAFE, made) if made else None


@fix
def kept(dropped: Site) -> Repair | None:
    """``x.to(device)`` as a statement becomes ``x = x.to(device)``."""
    region = dropped.region
    match dropped.node:
        case cst.Call(func=cst.Attribute(value=owner)) as call if isinstance(
            tree.parent(region, call), cst.Expr
        ):
            if isinstance(owner, cst.Name) and not _may_be_given(region, call, owner.value):
                return None
            if not isinstance(owner, (cst.Name, cst.Attribute, cst.Subscript)) or call.lpar:
                return None
            name = region.source_of(owner)
            if "\n" in name:
                return None
            made = edits.put_before(region, call, f"{name} = ")
            return Repair(f"Keep what `{name}` becomes", Safety.SAFE, made)
    return None


def _may_be_given(region: Written, node: cst.CSTNode, name: str) -> bool:
    """Whether giving a name another value here is seen by whoever reads it afterwards.

    It is not where the name belongs to an outer function, or is that of an item of a collection
    which the loop does nothing with from there on.
    """
    for outer in region.chain(node):
        match outer:
            case cst.For(target=target, body=body) if name in tree.names(target):
                return _is_read_after(body, node, name)
            case cst.FunctionDef(params=params, body=body):
                return name in tree.names(params) or name in tree.assigned(body)
    return True


def _is_read_after(body: cst.CSTNode, node: cst.CSTNode, name: str) -> bool:
    """Whether a name stands in what comes after a node."""
    rest = [*tree.walk(body)]
    inside = {id(part) for part in tree.walk(node)}
    last = max(place for place, part in enumerate(rest) if id(part) in inside)
    return any(isinstance(part, cst.Name) and part.value == name for part in rest[last + 1 :])


@fix
def for_numpy(made: Site) -> Repair | None:
    """``x.numpy()`` becomes ``x.detach().cpu().numpy()``."""
    match made.node:
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value="numpy") as name)):
            text = "detach().cpu().numpy"
            match owner:
                case cst.Call(func=cst.Attribute(attr=cst.Name(value="cpu"))):
                    text = "detach().numpy"
            edit = edits.replaced(made.region, name, text)
            return Repair("Take it out of the graph and off the device", Safety.UNSAFE, edit)
    return None


@fix
def copied_plainly(made: Site, sure: bool) -> Repair | None:
    """``torch.tensor(t, dtype=d)`` becomes ``t.detach().clone().to(dtype=d)``.

    It is safe where ``t`` is surely a tensor, as an array has none of these methods.

    ``x.new_tensor(t)`` is of the type and on the device of ``x``: ``t.detach().clone().to(x)``.
    """
    region = made.region
    match made.node:
        case cst.Call(args=[cst.Arg(star="", value=value), *others]) as call:
            settings = {
                item.keyword.value: f"{item.keyword.value}={region.source_of(item.value)}"
                for item in others
                if item.keyword is not None and not item.star
            }
            if len(settings) != len(others) or not settings.keys() <= {"dtype", "device"}:
                return None
            told: str | None = ", ".join(settings.values())
            match call.func:
                case cst.Attribute(value=model, attr=cst.Name(value="new_tensor")):
                    told = _as_of(region, model, settings)
            if "#" in region.source_of(call) or told is None:
                return None
            moved = f".to({told})" if told else ""
            text = f"{edits.grouped(region, value)}.detach().clone(){moved}"
            safety = Safety.SAFE if sure else Safety.UNSAFE
            return Repair("Copy it", safety, edits.replaced(region, call, text))
    return None


def _as_of(region: Written, model: cst.BaseExpression, settings: dict[str, str]) -> str | None:
    """What ``to`` is told for a copy as of ``model``, but for what is asked for; None if unsure."""
    if any(isinstance(part, cst.Call) for part in tree.walk(model)):
        # It would be called after what is copied has been computed.
        return None
    if not settings:
        return region.source_of(model)
    owner = edits.grouped(region, model)
    every = {name: f"{name}={owner}.{name}" for name in ("dtype", "device")} | settings
    return ", ".join(every.values())


@fix
def as_float(made: Site) -> Repair | None:
    """``torch.from_numpy(x)`` becomes ``torch.from_numpy(x).float()``."""
    match made.node:
        case cst.Call(args=args) as call if not any(argument.star for argument in args):
            edit = edits.put_after(made.region, call, ".float()")
            return Repair("Make it float32", Safety.UNSAFE, edit)
    return None


@fix
def follow_type(factory: Site, meets: str, floats: bool) -> Repair | None:
    """``torch.zeros(n, device=x.device)`` is told ``dtype=x.dtype`` where ``x`` is of floats.

    That is known of it, or else it ``meets`` the tensor, by the source of that operation.
    """
    region, call = factory.region, factory.node
    if not isinstance(call, cst.Call) or any(item.star for item in call.args):
        return None
    for item in call.args:
        match item:
            case cst.Arg(
                keyword=cst.Name(value="device"),
                value=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value="device")),
            ):
                met = re.search(rf"\b{name}\b(?!\.(?:device|shape|size))", meets)
                if not floats and not met:
                    return None
                made = edits.with_argument(region, call, f"dtype={name}.dtype")
                return (
                    Repair(f"Make it of the type of `{name}`", Safety.SAFE, made) if made else None
                )
    return None
