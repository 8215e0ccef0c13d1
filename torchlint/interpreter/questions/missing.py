"""Attributes that modules read and nothing sets."""

from __future__ import annotations

import ast
import difflib
import operator
from typing import TYPE_CHECKING, Any

from torchlint.interpreter.events.classes import Absent, ClassSeen
from torchlint.project import around
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.project.classes import Family
    from torchlint.project.methods import Read

MODULE = frozenset({"torch.nn.Module"})
LIGHTNING = frozenset({"lightning.LightningModule", "pytorch_lightning.LightningModule"})

_OF_TORCH = kinds.MODULE_METHODS | {"training", "dump_patches", "call_super_init", "T_destination"}

_OF_WRAPPERS = frozenset(
    "module weight_orig weight_mask weight_g weight_v parametrizations".split()
)
"""What something has that wraps a module, or has changed one of its parameters."""

_RUN = ("forward",)
_STEPS = ("training_step", "validation_step", "test_step", "predict_step", "configure_optimizers")
_OF_LIGHTNING = frozenset(
    "trainer fabric logger loggers current_epoch global_step global_rank local_rank node_rank "
    "hparams hparams_initial automatic_optimization example_input_array device dtype device_mesh "
    "print log log_dict all_gather freeze unfreeze backward clip_gradients strict_loading "
    "summarize datamodule precision use_amp use_ddp use_dp on_gpu truncated_bptt_steps".split()
)


def undefined(trace: Trace) -> Iterator[tuple[Read, str]]:
    """Attributes that a forward reads and nothing sets, with the name that was meant."""
    for seen in trace.of(ClassSeen):
        if seen.kind == "module":
            yield from undefined_in(seen.family)


def absent(trace: Trace) -> Iterator[tuple[Absent, str]]:
    """Attributes that others ask a module for, and that no code gives it, with what was meant."""
    seen = set()
    for event in trace.of(Absent):
        family, name = event.family, event.name
        if event.spot in seen or name.startswith("_") or name in _OF_TORCH | _OF_WRAPPERS:
            continue
        seen.add(event.spot)
        if family.is_open or family.has_member(name) or name in family.written:
            continue
        if not family.may_be_given(name) and not _is_commented_out(family, name):
            known = sorted(family.written | _members(family))
            meant = difflib.get_close_matches(name, known, 1, 0.75)
            yield event, meant[0] if meant else ""


def undefined_in(family: Family) -> Iterator[tuple[Read, str]]:
    """The same for the class of a family."""
    is_plain = family.externals == MODULE
    if not is_plain and not (family.externals and family.externals <= LIGHTNING):
        return
    starts = [name for name in (_RUN if is_plain else (*_RUN, *_STEPS)) if family.method(name)]
    lacking = sorted(family.never_set - _OF_TORCH) if starts else []
    lacking = [name for name in lacking if not (name[0] == "_" or family.has_member(name))]
    led_to = family.led_from(*starts) if lacking else frozenset()
    for name in lacking:
        reads = family.reads(name, (family.definition,))
        mine = [read for read in reads if read.method in led_to and _is_reached(family, read)]
        if not mine or any(read.guarded for read in reads) or _may_exist(family, name):
            continue
        if _is_commented_out(family, name):
            continue
        known = sorted(family.written | _members(family))
        meant = difflib.get_close_matches(name, known, 1, 0.75)
        # What a trainer gives its module depends on the release.
        is_own = name not in _OF_LIGHTNING and not name.startswith("on_")
        if (meant and (is_plain or is_own)) or (is_plain and _is_as_written(family)):
            yield mine[0], meant[0] if meant else ""


_COMPARES: dict[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}


def _is_reached(family: Family, read: Read) -> bool:
    """Whether no test of what the class sets once and for all, or insists on, leaves it out."""
    return all(
        _comes_to(family, test) in {None, holds}
        for test, holds in around.tests(read.spot.region, read.spot.node)
    )


def _comes_to(family: Family, test: ast.expr) -> bool | None:
    """What comparing an attribute with a constant gives, where that is always the same."""
    match test:
        case ast.Compare(
            left=ast.Attribute(value=ast.Name(id="self"), attr=name),
            ops=[op],
            comparators=[ast.Constant(value=int() | float() | str() as bound)],
        ) if compare := _COMPARES.get(type(op)):
            values = _values(family, name)
            if all(isinstance(each, str) is isinstance(bound, str) for each in values):
                results = {bool(compare(each, bound)) for each in values}
                return results.pop() if len(results) == 1 else None
    return None


def _values(family: Family, name: str) -> list[object]:
    """The numbers or strings that an attribute can have; none where they are not known."""
    match [write.value for write in family.writes(name)]:
        case [ast.Constant(value=int() | float() as value)]:
            return [value]
        case [_] if (made := family.method("__init__")) is not None:
            return next(filter(None, (_insisted_on(each, name) for each in made.node.body)), [])
    return []


def _insisted_on(statement: ast.stmt, name: str) -> list[object]:
    """The strings that an attribute of the object has if the program gets past a statement."""
    match statement:
        case ast.If(
            test=ast.Compare(left=left, ops=[ast.NotIn()], comparators=[among]),
            body=[*_, ast.Raise()],
        ):
            pass
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.In()], comparators=[among])):
            pass
        case _:
            return []
    match left, among:
        case (
            ast.Attribute(value=ast.Name(id="self"), attr=attribute),
            ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts),
        ) if attribute == name:
            known = [each.value for each in parts if isinstance(each, ast.Constant)]
            if len(known) == len(parts) and all(isinstance(each, str) for each in known):
                return [*known]
    return []


def _is_commented_out(family: Family, name: str) -> bool:
    """Whether a comment sets an attribute: what reads it is left out by other means as well."""
    pattern = Pattern(rf"#.*\bself\.{name}\b[^=\n]*=(?!=)")
    return any(pattern.search(base.region.text) for base in family.lineage)


def _is_as_written(family: Family) -> bool:
    """Whether no class of a family stands under a condition, in the place of one out of sight."""
    return all(base.region.indent == 0 for base in family.lineage)


def _may_exist(family: Family, name: str) -> bool:
    """Whether an attribute may come from a subclass, from elsewhere, or from out of sight."""
    made = family.own("__init__")
    given = made is not None and name in made.taken
    if family.is_open or name in family.written or family.is_named_elsewhere(name, given=given):
        return True
    below = [family.index.family(item) for item in family.descendants]
    return any(one.is_open or one.has_member(name) or name in one.written for one in below)


def _members(family: Family) -> frozenset[str]:
    return frozenset(name for item in family.lineage for name in (*item.members, *item.assignments))
