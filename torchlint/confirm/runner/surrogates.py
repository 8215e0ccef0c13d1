"""Small real things that stand in for a training loop's arguments, chosen by their roles.

The loop is what is asked about, so a small model and made-up batches serve as well as the user's.
Where the model itself is asked about, they do not, and their use is noted as taint.
"""

from __future__ import annotations

import ast
import functools
import re
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from . import taint
from .batches import CLASSES, Followed, Loader, inputs, shape_of
from .bystanders import Silent
from .guesses import device_name
from .roles import Usage, role, usages
from .signatures import signature_of
from .statements import dotted
from .trees import parts

if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet

_HARMLESS = re.compile(r"loss|forward|encode|decode|predict|get_|embed|generat|sample|config|init")
_EPOCHS = 4


class SmallModel(nn.Module):
    """Takes any tensors and makes what the plan says."""

    def __init__(self, plan: Followed) -> None:
        super().__init__()
        self._plan = plan
        self.hidden = nn.Linear(4, 8)
        self.head = nn.Linear(8, CLASSES)

    @property
    def module(self) -> SmallModel:
        """As if wrapped for parallel training."""
        return self

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """A little of every tensor that comes in goes into what comes out."""
        given = list(_tensors([*args, *kwargs.values()]))
        first = given[0] if given else torch.zeros(4, 4)
        scores = self.head(torch.tanh(self.hidden(_features(first))))
        return _output(self._plan.outputs, scores, first)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("_"):
                raise
            if not _HARMLESS.search(name):
                taint.note(f"what the model's `{name}` does is not known")
            return self.forward


class Settings:
    """Options whose values are guessed by their names; those in ``groups`` hold further ones."""

    def __init__(self, groups: frozenset[str] = frozenset()) -> None:
        self.__dict__["_groups"] = groups

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        groups = self.__dict__["_groups"]
        guessed = Settings(groups) if name in groups else setting(name)
        self.__dict__[name] = guessed
        return guessed

    def __getitem__(self, name: str) -> Any:
        return getattr(self, str(name))

    def get(self, name: str, default: Any = None) -> Any:
        """As of a dictionary."""
        return default if default is not None else self[name]


class Accelerator:
    """What frameworks put around a loop, without anything to accelerate."""

    device = torch.device("cpu")
    is_main_process = is_local_main_process = sync_gradients = True
    num_processes = 1

    def prepare(self, *things: Any, **_: Any) -> Any:
        """Everything as it is."""
        return things[0] if len(things) == 1 else things

    setup = prepare

    def backward(self, loss: Tensor, **kwargs: Any) -> None:
        """The loss's own backward."""
        torch.autograd.backward(loss, **kwargs)

    def accumulate(self, *_: Any) -> nullcontext[None]:
        """Every batch is a step."""
        return nullcontext()

    autocast = no_sync = accumulate

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Silent(f"accelerator.{name}", known=True)


class Surrogates:
    """Stands in for the arguments of functions of one file, consistently within one run."""

    def __init__(self, plan: Followed, drew: Callable[[], None], matters: AbstractSet[str]) -> None:
        self.plan = plan
        self._drew = drew
        self._matters = matters
        self._models: list[SmallModel] = []
        self._optimizers = 0

    def arguments(
        self, function: Callable[..., Any], node: ast.AST, within: Iterable[ast.AST] = ()
    ) -> dict[str, Any]:
        """A value for every argument that the function cannot do without."""
        signature = signature_of(function)
        wanted = {
            name: parameter
            for name, parameter in signature.parameters.items()
            if parameter.default is parameter.empty
            and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        }
        code = [node, *within]
        found = _with_attributes(usages(code), node)
        for name, parameter in wanted.items():
            usage = found.setdefault(name, Usage())
            if parameter.annotation is not parameter.empty:
                usage.annotation = _said(parameter, node)
        return self.values({name: found[name] for name in wanted}, code)

    def values(self, wanted: dict[str, Usage], code: list[ast.AST]) -> dict[str, Any]:
        """A value for every name, models before what needs them."""
        roles = {name: role(name, usage) for name, usage in wanted.items()}
        late = ("optimizer", "scheduler")
        ordered = sorted(wanted, key=lambda name: (roles[name] in late, roles[name] == late[1]))
        made = {name: self.make(roles[name], name, code) for name in ordered}
        return {name: made[name] for name in wanted}

    def make(self, part: str, name: str, code: list[ast.AST]) -> Any:
        """Something that plays a part."""
        if part in self._matters:
            taint.note(f"`{name}` is a stand-in, and the question is about it")
        return getattr(self, f"_{part}")(name, code)

    def _model(self, name: str, code: list[ast.AST]) -> SmallModel:
        self._models.append(SmallModel(self.plan))
        return self._models[-1]

    def _optimizer(self, name: str, code: list[ast.AST]) -> torch.optim.Optimizer:
        """Over the models in order: the second optimizer is the second model's."""
        if not self._models:
            self._model(name, code)
        model = self._models[min(self._optimizers, len(self._models) - 1)]
        self._optimizers += 1
        return torch.optim.SGD(model.parameters(), lr=0.01)

    def _scheduler(self, name: str, code: list[ast.AST]) -> Any:
        optimizer = torch.optim.SGD(SmallModel(self.plan).parameters(), lr=0.01)
        return torch.optim.lr_scheduler.StepLR(optimizer, 100)

    def _scaler(self, name: str, code: list[ast.AST]) -> Any:
        scaler: Any = getattr(torch.amp, "GradScaler", None) or torch.cuda.amp.GradScaler
        return scaler(enabled=False)

    def _accelerator(self, name: str, code: list[ast.AST]) -> Accelerator:
        return Accelerator()

    def _loader(self, name: str, code: list[ast.AST]) -> Loader:
        shapes = [shape_of(code, path) for path in (name, f"self.{name}")]
        shape = next((shape for shape in shapes if shape.kind != "one"), shapes[0])
        return Loader(shape, self.plan, self._drew)

    def _criterion(self, name: str, code: list[ast.AST]) -> Callable[..., Tensor]:
        loss = self.plan.loss
        if loss == "entropy":
            return nn.CrossEntropyLoss()
        return _sequence_loss if loss == "entropy of sequences" else nn.MSELoss()

    def _device(self, name: str, code: list[ast.AST]) -> torch.device:
        return torch.device(device_name())

    def _reporter(self, name: str, code: list[ast.AST]) -> Silent:
        return Silent(name)

    def _settings(self, name: str, code: list[ast.AST]) -> Settings:
        asked, last = [_groups(node) for node in code], name.rpartition(".")[2]
        return Settings(frozenset(group for each in asked for of, group in each if of == last))

    def _flag(self, name: str, code: list[ast.AST]) -> bool:
        return False

    def _rate(self, name: str, code: list[ast.AST]) -> float:
        return 0.01

    def _count(self, name: str, code: list[ast.AST]) -> int:
        return int(setting(name)) or _EPOCHS

    def _text(self, name: str, code: list[ast.AST]) -> str:
        return name

    def _data(self, name: str, code: list[ast.AST]) -> Tensor:
        return inputs(self.plan, torch.Generator().manual_seed(0))


def _said(parameter: inspect.Parameter, function: ast.AST) -> str:
    """An annotation, as it is written where it could not be computed."""
    if not isinstance(parameter.annotation, (taint.Poison, taint.StandIn)):
        return str(parameter.annotation)
    for node in parts(function):
        if isinstance(node, ast.arg) and node.arg == parameter.name and node.annotation:
            return ast.unparse(node.annotation)
    return ""


@functools.lru_cache(maxsize=256)
def _groups(node: ast.AST) -> frozenset[tuple[str, str]]:
    """Things, and options of theirs that are asked for options, as in ``cfg.common.seed``."""
    called = {part.func for part in parts(node) if isinstance(part, ast.Call)}
    return frozenset(
        (dotted(part.value.value).rpartition(".")[2], part.value.attr)
        for part in parts(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Attribute)
        and part not in called
    )


def setting(name: str) -> Any:
    """The value of an option, by its name."""
    name = name.lower()
    if "device" in name:
        return device_name()
    if re.search(r"epoch|repeat", name):
        return _EPOCHS
    if re.search(r"accum", name):
        return 1
    if re.search(r"^lr|_lr$|rate|decay|alpha|beta|gamma|eps|clip|norm|momentum|weight", name):
        return 0.01
    if re.search(r"size|batch|dim|num|^n_|^n$|iters?$|steps?$|every|interval|freq|seed|len", name):
        return 4
    if re.search(r"path|dir|file|folder|name", name):
        return name
    return False


def _with_attributes(found: dict[str, Usage], node: ast.AST) -> dict[str, Usage]:
    """Count what is done with ``self.x`` as done with the argument that it keeps."""
    for part in parts(node):
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Name):
            for target in part.targets:
                kept = found.get(f"self.{getattr(target, 'attr', '')}")
                if kept is not None:
                    given = found.setdefault(part.value.id, Usage())
                    given.attributes |= kept.attributes
                    given.called |= kept.called
                    given.iterated |= kept.iterated
    return found


def _tensors(values: Iterable[Any]) -> Iterable[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)
        elif isinstance(value, dict):
            yield from _tensors(value.values())


def _features(given: Tensor) -> Tensor:
    """Four numbers of every item of a batch."""
    numbers = given.float().reshape(given.shape[0] if given.dim() else 1, -1)
    ends = [numbers.mean(1), numbers.abs().mean(1), numbers[:, 0], numbers[:, -1]]
    return torch.stack(ends, 1)


def _output(kind: str, scores: Tensor, first: Tensor) -> Any:
    if kind == "column":
        return scores[:, :1]
    if kind == "numbers":
        return scores[:, 0]
    if kind == "probability":
        return torch.sigmoid(scores[:, :1])
    if kind == "like inputs":
        return first.float() * scores.mean() + scores.mean()
    if kind == "loss":
        return scores.pow(2).mean()
    if kind == "loss and logits":
        return Answer(scores.pow(2).mean(), scores)
    if kind == "sequence":
        return scores[:, None, :].expand(-1, first.shape[1], -1) * 1.0
    if kind == "pixels":
        return scores[:, :, None, None].expand(-1, -1, *first.shape[-2:]) * 1.0
    return scores


class Answer(tuple[Tensor, Tensor]):
    """A loss and logits, by position and by name."""

    def __new__(cls, loss: Tensor, logits: Tensor) -> Answer:
        """Both are kept as the tuple's items."""
        return super().__new__(cls, (loss, logits))

    @property
    def loss(self) -> Tensor:
        """The first."""
        return self[0]

    @property
    def logits(self) -> Tensor:
        """The second."""
        return self[1]


def _sequence_loss(scores: Tensor, target: Tensor, *_: Any) -> Tensor:
    return nn.functional.cross_entropy(scores.reshape(-1, scores.shape[-1]), target.reshape(-1))
