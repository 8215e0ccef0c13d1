"""Augmentation: transforms of a dataset's items that draw at random."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.events.transforms import Composed, Made
from torchlint.interpreter.values import Bound, Const, Function, Instance, Ref, Spot
from torchlint.project import around
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api.chances import is_by_chance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.project.regions import Region

_DRAWS = Pattern(r"\brand(?:n|int|perm|_like|n_like)?\(|\brandom\.\w+\(|\bbernoulli\w*\(")
_TRANSFORMS = ("transform", "transforms")
_BRANCHES = (ast.If, ast.IfExp, ast.While)


def of(machine: Machine, source: Value | None) -> Spot | None:
    """Where a transform of a dataset, or of the one that it is a part of, draws at random."""
    record = machine.get(source) if source is not None else None
    if not isinstance(record, Instance):
        return None
    for name in _TRANSFORMS:
        value = record.attributes.get(name)
        found = _chance(machine, value) if value is not None else None
        if found is not None and not _is_withheld(machine, record, name):
            return found
    own = _of_own(machine, record) or _of_items(machine, record)
    return own or of(machine, record.attributes.get("dataset"))


def _is_withheld(machine: Machine, dataset: Instance, name: str) -> bool:
    """Whether a dataset of the project applies a transform only if something else tells it to."""
    if not isinstance(dataset.cls, Definition):
        return False
    got = machine.index.member(dataset.cls, "__getitem__")
    read = f"self.{name}"
    calls = list(_tests_of_calls(got.region, read)) if isinstance(got, Definition) else []
    return bool(calls) and not any(all(_is_about(each, read) for each in tests) for tests in calls)


def _of_own(machine: Machine, dataset: Instance) -> Spot | None:
    """Where a transform of pictures draws that a dataset of the project applies to every item."""
    if not isinstance(dataset.cls, Definition):
        return None
    got = machine.index.member(dataset.cls, "__getitem__")
    for name, value in dataset.attributes.items():
        found = _of_pictures(machine, value.address) if isinstance(value, Ref) else None
        if found is not None and isinstance(got, Definition) and _is_applied(got.region, name):
            return found
    return None


def _of_items(machine: Machine, dataset: Instance) -> Spot | None:
    """Where a transform draws that a dataset puts together for each item, and applies to it."""
    if not isinstance(dataset.cls, Definition):
        return None
    got = machine.index.member(dataset.cls, "__getitem__")
    if not isinstance(got, Definition) or "Compose(" not in got.region.text:
        return None
    method = got.region.statement
    for made in method.body if isinstance(method, ast.FunctionDef) else ():
        match made:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(args=[ast.List(elts=steps)]) as call
            ) if _is_of_torchvision(machine, got, call.func, "Compose"):
                drawn = next((one for one in steps if _draws(machine, got, one)), None)
                if drawn is not None and _is_put_to_use(got.region, name):
                    return Spot(got.region, drawn)
    return None


def _draws(machine: Machine, within: Definition, step: ast.expr) -> bool:
    """Whether a transform draws whenever it is applied; of those by chance, who knows."""
    if not isinstance(step, ast.Call) or any(each.arg == "p" for each in step.keywords):
        return False
    short = ast.unparse(step.func).rpartition(".")[2]
    return is_by_chance(short) and _is_of_torchvision(machine, within, step.func, short)


def _is_of_torchvision(machine: Machine, within: Definition, func: ast.expr, short: str) -> bool:
    """Whether an expression names a transform of torchvision by what the file imports."""
    found = machine.index.meaning(within.outline, ast.unparse(func))
    name = found.name if isinstance(found, External) else ""
    return name.startswith("torchvision.transforms.") and name.endswith(f".{short}")


def _is_put_to_use(region: Region, name: str) -> bool:
    """Whether what is put together by a name is applied whenever an item is asked for."""
    return any(not tests for tests in _tests_of_calls(region, name))


def _is_applied(region: Region, name: str) -> bool:
    """Whether a method that gives an item applies an attribute to each of them, if there is one."""
    read = f"self.{name}"
    tests = next(_tests_of_calls(region, read), None)
    return tests is not None and all(_is_about(test, read) for test in tests)


def _tests_of_calls(region: Region, read: str) -> Iterator[list[ast.expr]]:
    """The tests that decide on each call of something; no call is sure where some return early."""
    nodes = list(ast.walk(region.statement))
    if any(isinstance(each, ast.Return) for node in nodes for each in _only_if(node)):
        return
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == read:
            path = around.path(region, node)
            yield [each.test for each in path if isinstance(each, _BRANCHES)]


def _only_if(node: ast.AST) -> Iterator[ast.AST]:
    """What is done under a condition."""
    if isinstance(node, ast.If):
        yield from (each for part in (*node.body, *node.orelse) for each in ast.walk(part))


def _is_about(test: ast.expr, read: str) -> bool:
    """Whether a condition asks only for whether there is something."""
    named = {ast.unparse(each) for each in ast.walk(test) if isinstance(each, ast.Attribute)}
    return named == {read}


def _chance(machine: Machine, value: Value) -> Spot | None:
    match value:
        case Function() if _DRAWS.search(value.region.text):
            return Spot(value.region, value.region.heading(value.node))
        case Bound(method=Function() as method):
            return _chance(machine, method)
        case Ref(address=address):
            record = machine.get(value)
            if isinstance(record, Instance) and isinstance(record.cls, Definition):
                called = machine.index.member(record.cls, "__call__")
                called = called or machine.index.member(record.cls, "forward")
                draws = isinstance(called, Definition) and _leaves_to_chance(record, called.region)
                return record.spot if draws else None
            return _of_pictures(machine, address)
    return None


def _leaves_to_chance(transform: Instance, region: Region) -> bool:
    """Whether a method draws, and not only to ask for a chance that this object has made sure."""
    if not _DRAWS.search(region.text):
        return False
    nodes = ast.walk(region.statement)
    calls = [each for each in nodes if isinstance(each, ast.Call)]
    drawn = [each for each in calls if _DRAWS.search(f"{ast.unparse(each.func)}(")]
    return not drawn or not all(
        any(_is_foregone(transform, each) for each in around.path(region, call)) for call in drawn
    )


def _is_foregone(transform: Instance, test: ast.AST) -> bool:
    """Whether what is drawn is compared with an attribute of the object that is never between."""
    if not isinstance(test, ast.Compare):
        return False
    for side in (test.left, *test.comparators):
        match side:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                match transform.attributes.get(name):
                    case Const(value=int() | float() as chance) if not 0 < chance < 1:
                        return True
    return False


def _of_pictures(machine: Machine, address: int) -> Spot | None:
    """Where a transform of a library draws, or the first that does among those put together."""
    for made in machine.trace.of(Made):
        if made.transform == address and made.draws:
            return made.spot
    for event in machine.trace.of(Composed):
        if event.transforms == address:
            return next((step.spot for step in event.steps if step and step.draws), None)
    return None
