"""Classes of modules: what their constructors leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import fix, later, site
from torchlint.interpreter.repairs import Repair
from torchlint.project.outline import Import

if TYPE_CHECKING:
    from torchlint.fixing.written import Site
    from torchlint.interpreter.events.classes import Hidden
    from torchlint.project.outline import Outline

_CONSTRUCTORS = frozenset({"__init__", "__post_init__"})


@fix
def begin_module(assigned: Site) -> Repair | None:
    """Call ``super().__init__()`` first, where nothing in the constructor calls another one."""
    region = assigned.region
    function = region.statement
    if not isinstance(function, cst.FunctionDef) or function.name.value not in _CONSTRUCTORS:
        return None
    if "super" in region.text or region.text.count("__init__") > 1:
        return None
    body = list(function.body.body)
    if len(body) > 1 and function.get_docstring() is not None:
        del body[0]
    made = edits.inserted_before(region, _first(body[0]), "super().__init__()")
    return Repair("Call `super().__init__()` first", Safety.SAFE, made) if made else None


def _first(line: cst.CSTNode) -> cst.CSTNode:
    """The first statement of a line."""
    return line.body[0] if isinstance(line, cst.SimpleStatementLine) else line


@fix
def plain_super(called: Site) -> Repair | None:
    """``super(Other, self)`` becomes ``super()``, which finds out by itself."""
    match called.node:
        case cst.Call(func=cst.Name(value="super")) as call:
            made = edits.replaced(called.region, call, "super()")
            return Repair("Leave the class to `super()`", Safety.SAFE, made)
    return None


@later
def register(hidden: Hidden) -> Repair | None:
    """Put what is assigned into ``nn.ModuleList`` or one of its kin."""
    assigned = site(hidden.spot)
    region, node = assigned.region, assigned.node
    if hidden.nested or not isinstance(node, cst.Assign) or len(node.targets) != 1:
        return None
    value = node.value
    if isinstance(value, cst.Tuple) and not value.lpar:
        return None
    if hidden.kind == "dict":
        container = "ParameterDict" if hidden.held == "parameters" else "ModuleDict"
    else:
        container = "ParameterList" if hidden.held == "parameters" else "ModuleList"
    name = _spelling(region.outline, container)
    if not name or (hidden.kind == "dict" and not hidden.keyed):
        return None
    made = edits.replaced(region, value, f"{name}({region.source_of(value)})")
    return Repair(f"Keep them in `{name}`", Safety.UNSAFE, made)


@fix
def register_buffer(assigned: Site, name: str) -> Repair | None:
    """``self.x = value`` becomes ``self.register_buffer("x", value, persistent=False)``."""
    region = assigned.region
    match assigned.node:
        case cst.Assign(
            targets=[
                cst.AssignTarget(target=cst.Attribute(value=owner, attr=cst.Name(value=attribute)))
            ],
            value=value,
        ) if attribute == name:
            pass
        case _:
            return None
    if isinstance(value, cst.Tuple) and not value.lpar:
        return None
    call = f"{region.source_of(owner)}.register_buffer"
    text = f'{call}("{name}", {region.source_of(value)}, persistent=False)'
    made = edits.replaced(region, assigned.node, text)
    return Repair(f"Register `{name}` as a buffer", Safety.UNSAFE, made)


def _spelling(outline: Outline, name: str) -> str:
    """How a file that imports torch writes ``torch.nn.name``; nothing where it cannot."""
    for bound, meaning in outline.bindings.items():
        match meaning:
            case Import(module="torch.nn", attribute="", level=0) if bound != "torch":
                return f"{bound}.{name}"
            case Import(module="torch", attribute="nn", level=0):
                return f"{bound}.{name}"
            case Import(module="torch.nn", attribute=attribute, level=0) if attribute == name:
                return bound
            case Import(module="torch", attribute="", level=0):
                return f"{bound}.nn.{name}"
    return ""
