"""TL601: a dataset that carries a module into every worker, or runs one for every item."""

from __future__ import annotations

import ast
import io
import os
import pickle
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.reduction import ForkingPickler
from typing import TYPE_CHECKING, Any

from torch import nn
from torch.utils.data import Dataset, IterableDataset

from .building import CannotBuildError, Recipe, recipe
from .experiments import describe
from .limits import Overtime, time_limit
from .loading import Program, load
from .places import Project
from .protocol import ABSENT, OPEN, SHOWN, Job, Observation
from .statements import dotted
from .taint import TaintedUseError
from .trials import tensors

if TYPE_CHECKING:
    from collections.abc import Iterator


_ITEM_SECONDS = 3.0


def module_in_dataset(job: Job) -> Observation:
    """TL601: pickling the dataset carries the flagged module, or its items carry its graph."""
    found = _Modules()
    with _watching(found, Project(job.root, os.path.dirname(job.target.file)), job):
        program = load(job)
        cls = program.scope_object(job.scope.split(".")[0]) if job.scope else None
        if not isinstance(cls, type) or not issubclass(cls, Dataset):
            return Observation(OPEN, reason="the code is not in a dataset that could be built")
        try:
            seen = _look(program, cls, found)
        except (CannotBuildError, TaintedUseError) as error:
            return Observation(OPEN, reason=str(error))
    if program.tainted:
        return Observation(OPEN, reason=program.tainted[0])
    return seen


@dataclass
class _Modules:
    """Modules with parameters that the flagged code builds or calls, and all that are called."""

    flagged: list[nn.Module] = field(default_factory=list)
    called: list[nn.Module] = field(default_factory=list)

    def flag(self, module: object) -> None:
        """Take in a module of the flagged code, with parameters and once."""
        if isinstance(module, nn.Module) and not _among(module, self.flagged):
            self.flagged.append(module)

    @property
    def outermost(self) -> list[nn.Module]:
        """Those flagged with parameters that are no part of another one."""
        own = [module for module in self.flagged if _size(module)[0]]
        parts = [part for module in own for part in module.modules() if part is not module]
        return [module for module in own if not _among(module, parts)]


def _look(program: Program, cls: type, found: _Modules) -> Observation:
    how = recipe(cls, program)
    dataset = how.again(program.job.seed)
    item, failure = _first_item(dataset)
    attribute = _assigned(program)
    found.flag(getattr(dataset, attribute, None) if attribute else None)
    guessed = _within([how.arguments[name] for name in how.guessed])
    if any(_among(module, guessed) for module in found.outermost):
        return Observation(OPEN, reason="the module comes from an argument that had to be guessed")
    for module in found.outermost:
        if _frozen(module) and _stays_in_process(program.tree()):
            return Observation(OPEN, reason="it is frozen, and no loader of the file has workers")
        seen = _carried(dataset, module) or _in_items(item, module, found)
        if seen is not None:
            return seen
    return _without(dataset, found, failure, how)


def _among(module: nn.Module, modules: list[nn.Module]) -> bool:
    return any(module is other for other in modules)


def _frozen(module: nn.Module) -> bool:
    return not any(parameter.requires_grad for parameter in module.parameters())


def _stays_in_process(tree: ast.Module) -> bool:
    """Whether the file builds loaders, and none of them with workers."""
    loaders = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] == "DataLoader"
    ]
    words = [word for loader in loaders for word in loader.keywords]
    workers = [word.value for word in words if word.arg in (None, "num_workers")]
    return bool(loaders) and all(
        isinstance(value, ast.Constant) and value.value == 0 for value in workers
    )


def _size(module: nn.Module) -> tuple[int, int]:
    """Number of parameters and their bytes."""
    parameters = list(module.parameters())
    count = sum(item.numel() for item in parameters)
    return count, sum(item.numel() * item.element_size() for item in parameters)


@contextmanager
def _watching(found: _Modules, project: Project, job: Job) -> Iterator[None]:
    """Notice which modules are built and called, and whether the flagged code does it."""
    original = nn.Module.__init__

    def built(module: nn.Module, *args: Any, **kwargs: Any) -> None:
        original(module, *args, **kwargs)
        if project.is_at(job.target):
            found.flag(module)

    def called(module: nn.Module, _: object) -> None:
        found.called.append(module)
        if project.is_at(job.target):
            found.flag(module)

    with ExitStack() as stack:
        handle = nn.modules.module.register_module_forward_pre_hook(called)
        stack.callback(handle.remove)
        stack.callback(setattr, nn.Module, "__init__", original)
        nn.Module.__init__ = built  # type: ignore[method-assign,assignment]
        yield


def _first_item(dataset: Any) -> tuple[Any, BaseException | None]:
    try:
        with time_limit(_ITEM_SECONDS):
            iterable = isinstance(dataset, IterableDataset)
            item = next(iter(dataset)) if iterable else dataset[0]
    except TaintedUseError:
        raise
    except (Exception, Overtime) as error:
        return None, error
    return item, None


def _assigned(program: Program) -> str:
    """The attribute of ``self`` that the flagged code, or what it gives, is assigned to."""
    target = program.job.target
    for node in ast.walk(program.tree()):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            begins = {(part.lineno, part.col_offset + 1) for part in (node, node.value)}
            if (target.line, target.column) not in begins:
                continue
            to = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(to, ast.Attribute):
                return to.attr
    return ""


def _within(values: list[Any]) -> list[nn.Module]:
    """Modules among values, through lists and dicts."""
    found: list[nn.Module] = []
    for value in values:
        if isinstance(value, nn.Module):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _within(list(value))
        elif isinstance(value, dict):
            found += _within(list(value.values()))
    return found


class _Without(pickle.Pickler):
    """Pickles all but a module, and notices whether it came by."""

    def __init__(self, file: io.BytesIO, module: nn.Module) -> None:
        super().__init__(file)
        self._module = module
        self.met = False

    def persistent_id(self, value: object) -> str | None:
        """Leaves the module out."""
        if value is self._module:
            self.met = True
            return "left out"
        return None


def _carried(dataset: Any, module: nn.Module) -> Observation | None:
    """Shown where the dataset's pickle, which a worker is started with, holds the module."""
    try:
        whole = len(pickle.dumps(dataset))
        rest = io.BytesIO()
        pickler = _Without(rest, module)
        pickler.dump(dataset)
    except Exception:
        return _held(dataset, module)
    if not pickler.met:
        return None
    count, size = _size(module)
    return Observation(
        SHOWN,
        evidence=f"pickled for a worker the dataset takes {whole:,} bytes, "
        f"{len(rest.getvalue()):,} without its {type(module).__name__}: {count:,} parameters "
        f"({size:,} bytes) go into every worker",
    )


def _held(dataset: Any, module: nn.Module) -> Observation | None:
    """A dataset that cannot be pickled: shown where an attribute is the module."""
    names = [name for name, value in vars(dataset).items() if _among(module, _within([value]))]
    if not names:
        return None
    count, size = _size(module)
    return Observation(
        SHOWN,
        evidence=f"`self.{names[0]}` holds {count:,} parameters ({size:,} bytes) that every worker "
        "gets, and the dataset cannot be pickled",
    )


def _in_items(item: Any, module: nn.Module, found: _Modules) -> Observation | None:
    """Shown where the module ran for the item and left its graph in it."""
    graphs = [tensor for tensor in tensors(item) if tensor.grad_fn is not None]
    if not graphs or not _among(module, found.called):
        return None
    try:
        ForkingPickler.dumps(item)
        sent = "a worker can send it"
    except RuntimeError as error:
        sent = f"a worker cannot send it: {describe(error)}"
    return Observation(
        SHOWN,
        evidence=f"item 0 comes out of {type(module).__name__} requiring grad "
        f"({type(graphs[0].grad_fn).__name__}); {sent}",
    )


def _without(
    dataset: Any, found: _Modules, failure: BaseException | None, how: Recipe
) -> Observation:
    """Refuted where an item was had and no module with parameters took part."""
    if failure is not None:
        return Observation(OPEN, reason=f"no item could be had: {describe(failure)}")
    if found.outermost or any(_size(module)[0] for module in found.called):
        return Observation(OPEN, reason="a module runs, but the dataset does not carry it")
    if how.guessed and _within(list(how.arguments.values())):
        return Observation(OPEN, reason="the dataset's arguments had to be guessed")
    held = [module for module in _within(list(vars(dataset).values())) if _size(module)[0]]
    if held:
        return Observation(OPEN, reason="it carries a module that the flagged code did not make")
    return Observation(
        ABSENT, evidence="item 0 was made without a module that has parameters, and none is carried"
    )
