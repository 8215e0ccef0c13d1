"""Layers that a class makes and nobody uses."""

from __future__ import annotations

import ast
import builtins
import re
from typing import TYPE_CHECKING

from torchlint.interpreter import syntax
from torchlint.interpreter.events.classes import ClassSeen
from torchlint.interpreter.questions.missing import LIGHTNING, MODULE, undefined_in
from torchlint.project import flow
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated, kinds, modules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.project.classes import Family
    from torchlint.project.index import Meaning
    from torchlint.project.methods import Method, Write


_DROPOUTS = frozenset(
    f"torch.nn.{name}" for name in "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout".split()
)

_WALKING = frozenset(
    "children named_children _modules get_submodule named_modules __getattr__".split()
)


def layers(trace: Trace) -> Iterator[tuple[Write, str, bool]]:
    """Layers that a constructor makes and nothing reads, with the names of their classes.

    The last says that it is read only to be copied, and the copies are what is used.
    """
    for seen in trace.of(ClassSeen):
        family = seen.family
        if seen.kind != "module" or not family.externals <= MODULE | LIGHTNING:
            continue
        made, forward = family.own("__init__"), family.method("forward")
        if made is None or forward is None:
            continue
        templates = _templates(family, made)
        if not (templates or _may_leave(family, made)):
            continue
        last = {write.name: write for write in made.writes}
        for write in last.values():
            copied = templates.get(write.name)
            layer = _layer(family, write) if copied or write.name in family.only_set else ""
            if not layer or write.how or _is_read(family, write.name, copied):
                continue
            said = write.spot.region.comment_on(write.spot.node)
            if _ADMITTED.search(said) or _STANDING_IN.search(write.name):
                continue
            if not (_may_train(family, None, but=write) or _is_sized(write.value)):
                # Without it there were no parameter to tell the device, or to build an optimizer.
                continue
            others = {w.name for w in made.writes if w.value is write.value} - {write.name}
            if any(_is_read(family, name) for name in others):
                # One layer with two names.
                continue
            # Where its name is misspelt in the forward, that is the mistake.
            is_misspelt = write.name in {meant for _, meant in undefined_in(family)}
            if not is_misspelt and not _only_raises(forward):
                yield write, layer, copied is not None


def _is_sized(value: ast.expr | None) -> bool:
    """Whether a layer is built for what comes in, as none is that only has to be there."""
    calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)] if value else []
    given = [each for call in calls for each in (*call.args, *(k.value for k in call.keywords))]
    return any(isinstance(each, (ast.Name, ast.Attribute, ast.BinOp)) for each in given)


def _only_raises(forward: Method) -> bool:
    """Whether a forward stands for one that fails, so that nothing is computed with any layer."""
    return not flow.completes(forward.node.body) and not flow.returns(forward.node)


_COPYING = Pattern(r"\b(?:deepcopy|TransformerEncoder|TransformerDecoder)\(")
_COPIERS = {
    "copy.deepcopy": "x",
    "torch.nn.TransformerEncoder": "encoder_layer",
    "torch.nn.TransformerDecoder": "decoder_layer",
}
"""What makes copies of a module that it is given, and the parameter for that."""


def _templates(family: Family, made: Method) -> dict[str, ast.expr]:
    """The attributes of which the class does nothing else than to make and to copy them."""
    if not _COPYING.search(made.definition.region.text):
        return {}
    outline = made.definition.region.outline
    found: dict[str, ast.expr] = {}
    for call in ast.walk(made.node):
        if not isinstance(call, ast.Call) or not _COPYING.search(f"{ast.unparse(call.func)}("):
            continue
        meaning = family.index.meaning(outline, ast.unparse(call.func))
        if isinstance(meaning, External) and meaning.name in _COPIERS:
            named = {each.arg: each.value for each in call.keywords}
            given = call.args[0] if call.args else named.get(_COPIERS[meaning.name])
            if isinstance(given, ast.Attribute) and ast.unparse(given.value) == made.receiver:
                found[given.attr] = given
    text = family.definition.region.text
    return {
        name: node
        for name, node in found.items()
        if len(re.findall(rf"\b{made.receiver}\.{name}\b", text)) == 2
    }


_ADMITTED = Pattern(r"un-?used|\bnot (?:\w+ )?used|checkpoint|state.?dict|compatib", re.IGNORECASE)
"""How a comment says that a layer is there although nothing uses it."""

_STANDING_IN = Pattern(r"dummy|placeholder|un_?used", re.IGNORECASE)
"""How a layer is called that is there to be counted, as by an optimizer that wants parameters."""


_CALLED = Pattern(r"\bself\.(\w+)[ \t]*=(?!=)[^\n]*[(\\]")
"""What may be given the result of a call, on the line or on one that goes on with it."""


def _may_leave(family: Family, made: Method) -> bool:
    """Whether a constructor assigns what a call gives, and its class does nothing else with it."""
    called = _CALLED.findall(made.definition.region.text)
    return not family.only_set.isdisjoint(called)


def _layer(family: Family, write: Write) -> str:
    """The class of the layer with parameters that is assigned; nothing for anything else."""
    if not write.called:
        return ""
    built = _built(family, write.called, write.value)
    return built or _gathered(family, write) or _dropping(family, write)


def _dropping(family: Family, write: Write) -> str:
    """The class of a dropout, if nothing else drops by that much, or by a function."""
    meaning, call = family.index.meaning(family.definition.outline, write.called), write.value
    made = family.own("__init__")
    if made is None or not isinstance(meaning, External) or meaning.name not in _DROPOUTS:
        return ""
    if not isinstance(call, ast.Call) or "dropout(" in family.definition.region.text:
        return ""
    part = call.args[0] if call.args else syntax.named(call, "p")
    is_idle = isinstance(part, ast.Constant) and not part.value
    # What a constructor hands on as well has its effect there.
    told = "" if part is None or isinstance(part, ast.Constant) else ast.unparse(part)
    if is_idle or (told and _mentions(made.node, told) > 1):
        return ""
    return meaning.name.rpartition(".")[2]


def _mentions(node: ast.AST, said: str) -> int:
    """How often an expression stands in a function, but for where it is only compared."""
    if isinstance(node, ast.Compare):
        return 0
    if isinstance(node, ast.expr) and ast.unparse(node) == said:
        return 1
    return sum(_mentions(child, said) for child in ast.iter_child_nodes(node))


def _gathered(family: Family, write: Write) -> str:
    """The class of a container that is given a list which the method has put layers into."""
    match family.index.meaning(family.definition.outline, write.called), write.value:
        case External(name=name), ast.Call(args=[ast.Starred(value=ast.Name(id=given))]) if (
            name in modules.CONTAINERS
        ):
            method = write.spot.region.statement
            parts = (part for each in ast.walk(method) for part in _put_into(each, given))
            held = any(_built(family, ast.unparse(part.func), part) for part in parts)
            return name.rpartition(".")[2] if held else ""
    return ""


def _put_into(node: ast.AST, name: str) -> list[ast.Call]:
    """The calls in what a statement puts into a list of this name."""
    match node:
        case ast.Assign(targets=[ast.Name(id=into)], value=value) if into == name:
            given: list[ast.expr] = [value]
        case ast.AugAssign(target=ast.Name(id=into), value=value) if into == name:
            given = [value]
        case ast.Call(func=ast.Attribute(value=ast.Name(id=into)), args=args) if into == name:
            given = args
        case _:
            return []
    return [each for one in given for each in ast.walk(one) if isinstance(each, ast.Call)]


def _built(family: Family, called: str, call: ast.expr | None) -> str:
    """The class of what a call builds, if it has parameters; a container has those of its parts."""
    match family.index.meaning(family.definition.outline, called):
        case External(name=name) if generated.has_parameters(name):
            return "" if _is_bare(call) else name.rpartition(".")[2]
        case External(name=name) if name in modules.CONTAINERS and isinstance(call, ast.Call):
            parts = [node for node in ast.walk(call) if isinstance(node, ast.Call)]
            held = any(_built(family, ast.unparse(part.func), part) for part in parts[1:])
            return name.rpartition(".")[2] if held else ""
        case Definition(is_class=True) as cls if kinds.is_module(family.index, cls):
            return cls.name if _may_train(family.index.family(cls), call) else ""
    return ""


def _is_bare(call: ast.expr | None) -> bool:
    """Whether a normalisation is built without parameters."""
    return isinstance(call, ast.Call) and any(
        isinstance(said := syntax.named(call, name), ast.Constant) and said.value is False
        for name in ("affine", "elementwise_affine")
    )


def _may_train(family: Family, call: ast.expr | None, but: Write | None = None) -> bool:
    """Whether a module that is built by a call may have parameters, by what its methods give it.

    One attribute may be set aside.
    """
    if family.is_open or not family.externals <= MODULE:
        return True
    methods = list(family.methods(family.lineage))
    if any(_HOLDING.search(method.definition.region.text) for method in methods):
        return True
    writes = [write for method in methods for write in method.writes]
    # What is added to in place is there already.
    known = {write.name for write in writes if write.how or write.value is not None}
    return any(
        _may_be_trained(family, write, call)
        for write in writes
        if write is not but
        and write.how != "register_buffer"
        and (write.value is not None or write.name not in known)
    )


_HOLDING = Pattern(r"Parameter\b|register_parameter|add_module|register_module|__setattr__")


def _may_be_trained(family: Family, write: Write, call: ast.expr | None) -> bool:
    """Whether what an attribute is given may be a layer with parameters.

    That is so unless only what makes none is called for it. What comes in by a name is a layer if
    it is called, unless it is left to a default.
    """
    value = write.value
    if value is None:
        return True
    value = _default(family, write, call) or value
    outline = write.spot.region.outline
    calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
    if not all(_is_plain(family.index.meaning(outline, ast.unparse(c.func)), c) for c in calls):
        return True
    return isinstance(value, ast.Name) and any(
        f"self.{write.name}(" in method.definition.region.text
        for method in family.methods(family.lineage)
    )


def _default(family: Family, write: Write, call: ast.expr | None) -> ast.expr | None:
    """What stands for a name that is assigned in the constructor, where a call leaves it out."""
    made = family.own("__init__")
    if made is None or write not in made.writes or not isinstance(call, ast.Call):
        return None
    if any(isinstance(each, ast.Starred) for each in call.args) or not isinstance(
        write.value, ast.Name
    ):
        return None
    given = {keyword.arg for keyword in call.keywords}
    arguments = made.definition.region.statement.args
    named = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    defaults = dict(zip(reversed(named), reversed(arguments.defaults), strict=False))
    left_out = set() if None in given else set(named[len(call.args) + 1 :]) - given
    return defaults.get(write.value.id) if write.value.id in left_out else None


_PLAIN = ("math.", "torch.distributions.")


def _is_plain(called: Meaning | None, call: ast.Call) -> bool:
    """Whether a call surely gives nothing with parameters; a container may be given some."""
    if isinstance(call.func, ast.Attribute) and generated.is_of_tensors(call.func.attr):
        # A module that is moved or cast is the same one, and seen where it is built or assigned.
        known = isinstance(call.func.value, ast.Call) or _is_own(call.func.value)
        return known or call.func.attr not in kinds.MODULE_METHODS
    match called:
        case External(name=name) if generated.is_module(name):
            given = (*call.args, *(keyword.value for keyword in call.keywords))
            bare = all(isinstance(argument, ast.Constant) for argument in given)
            return generated.has_none(name) or (bare and not generated.has_parameters(name))
        case External(name=name):
            is_factory = name.removeprefix("torch.") in generated.factory_names()
            return is_factory or generated.is_operation(name) or name.startswith(_PLAIN)
    return called is None and hasattr(builtins, ast.unparse(call.func))


def _is_own(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"


def _is_read(family: Family, name: str, copied: ast.expr | None = None) -> bool:
    """Whether anything may read an attribute: by its name, or with all the others.

    Where it is ``copied``, that counts for nothing.
    """
    below = [family.index.family(item) for item in family.descendants]
    if family.is_open or any(one.is_open for one in below):
        return True
    related = (*family.lineage, *family.descendants)
    if any(family.reads(walk, related) for walk in _WALKING):
        return True
    reads = [read for read in family.reads(name, related) if read.spot.node is not copied]
    # A keyword of that name, or a variable, is none of its own.
    return bool(reads) or family.is_named_elsewhere(name, given=True)
