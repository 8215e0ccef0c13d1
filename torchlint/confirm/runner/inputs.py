"""First guesses at the arguments of a forward method or of a function on tensors."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .guesses import WIDTH, by_name, device_name
from .hints import optional
from .signatures import signature_of
from .specs import BATCH, SIDE, TIME, Spec, floats, longs, of_layer, plain
from .uses import Use, function_node, uses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .loading import Program

_DEPTH = 8
_NODES, _LINKS = 6, 12
_SAMPLES = 4096
_EDGES = re.compile(r"^edge_index$|^adj(_t|acency)?$|^edges$")
_IMAGE = re.compile(r"^(img|image)s?|pixel_values|^frames?$|^picture")
_AUDIO = re.compile(r"^(wave(form)?|wav|audio|signal|speech|raw_audio)s?$|^(x|input)_?wavs?$")
_TOKENS = re.compile(r"input_ids|tokens?$|_?ids?$|^idx$|words?$|^text$|indices|^seq$|captions?$")
_SEQUENCE = re.compile(r"hidden_states|tokens|seq|^(query|key|value|[qkv])$|^src$|^tgt$|memory")
_STATE = re.compile(r"^(h|hidden|hx|state|hidden_state|h_?0|states|hc|prev_(hidden|state))$")


@dataclass
class Subject:
    """What is run: a callable, its parameters, and the module that it belongs to, if any.

    Some that may be left out are ``filled`` all the same.
    """

    call: Callable[..., Any]
    parameters: list[inspect.Parameter]
    module: nn.Module | None
    uses: dict[str, Use]
    program: Program
    optional: list[inspect.Parameter] = field(default_factory=list)
    filled: Sequence[str] = ()

    def candidates(self) -> dict[str, list[Spec]]:
        """Guesses for every argument that has to be given, the likeliest first."""
        found: dict[str, list[Spec]] = {}
        for parameter in self.parameters:
            use = self.uses.get(parameter.name, Use())
            guesses = list(_guesses(parameter, use, self, found))
            if is_tensor(parameter):
                guesses = [spec for spec in guesses if spec.kind != "plain"]
            if parameter.name in self.filled:
                guesses = [spec for spec in guesses if spec != plain(None)]
            if self.is_of_graph:
                guesses = [*_of_graph(parameter.name.lower(), guesses), *guesses]
            found[parameter.name] = list(dict.fromkeys(guesses))
        return found

    @property
    def is_of_graph(self) -> bool:
        """Whether it takes the edges of a graph."""
        return any(_EDGES.search(item.name) for item in self.parameters)

    def run(self, values: dict[str, Any]) -> Any:
        """Call it by names; where it may have others, what has to be given goes by its place."""
        loose = [item.name for item in self.parameters if item.kind in self._by_place]
        named = {name: value for name, value in values.items() if name not in loose}
        return self.call(*(values[name] for name in loose), **named)

    @property
    def _by_place(self) -> tuple[Any, ...]:
        own = inspect.Parameter
        called = type(self.module).__call__ if self.call is self.module else nn.Module.__call__
        leading = all(item.default is item.empty for item in self.parameters)
        if called is not nn.Module.__call__ and leading:
            return (own.VAR_POSITIONAL, own.POSITIONAL_ONLY, own.POSITIONAL_OR_KEYWORD)
        return (own.VAR_POSITIONAL, own.POSITIONAL_ONLY)


def subject_of_module(
    module: nn.Module, program: Program, method: str = "forward", filled: Sequence[str] = ()
) -> Subject:
    """The call of a module, or of another of its methods."""
    function = getattr(type(module), method)
    call = module if method == "forward" else getattr(module, method)
    return _subject(call, function, module, program, filled)


def subject_of_function(function: Callable[..., Any], program: Program) -> Subject:
    """A function that is called with tensors."""
    return _subject(function, function, None, program)


def _subject(
    call: Callable[..., Any],
    function: Callable[..., Any],
    module: nn.Module | None,
    program: Program,
    filled: Sequence[str] = (),
) -> Subject:
    plain_function = inspect.unwrap(function)
    parameters = list(signature_of(plain_function).parameters.values())
    if module is not None and not isinstance(plain_function, staticmethod):
        parameters = parameters[1:]
    node = function_node(plain_function.__code__, program)
    wanted = [item for item in parameters if item.name in filled or _must_be_given(item)]
    if len(wanted) > 1:
        wanted = [item for item in wanted if item.kind is not item.VAR_POSITIONAL]
    used = uses(node) if node is not None else {}
    left_out = [item for item in parameters if item not in wanted]
    return Subject(call, wanted, module, used, program, optional(left_out), filled)


def _must_be_given(parameter: inspect.Parameter) -> bool:
    if parameter.kind is parameter.VAR_KEYWORD:
        return False
    if parameter.name == "device":
        return True  # a default of None or "cpu" is not where a program on a device is run
    return parameter.default is parameter.empty or parameter.kind is parameter.VAR_POSITIONAL


def _guesses(
    parameter: inspect.Parameter, use: Use, subject: Subject, known: dict[str, list[Spec]]
) -> Iterator[Spec]:
    name, module = parameter.name.lower(), subject.module
    yield from _annotated(parameter)
    yield from (plain(text) for text in dict.fromkeys(use.texts))
    if use.keys:
        items = tuple(
            longs(10, BATCH) if "label" in key else floats(BATCH, WIDTH) for key in use.keys
        )
        yield Spec("dict", items=items, keys=tuple(use.keys))
    if module is not None:
        yield from _special(name, module)
        yield from _taken(name, use, module, subject.program)
    yield from _named(name)
    for other in use.beside:
        yield from known.get(other, [])[:1]
    if use.parts and not use.rank:
        yield Spec("tuple", items=(floats(BATCH, WIDTH),) * use.parts)
    if use.iterated:
        maps = [floats(BATCH, WIDTH, SIDE >> index, SIDE >> index) for index in range(4)]
        yield Spec("list", items=(floats(BATCH, WIDTH),) * 2)
        yield Spec("list", items=tuple(maps))
    if use.rank or use.least_rank:
        yield from _of_rank(use.rank or use.least_rank, module)
    yield from _usual(module, subject.program)


def is_tensor(parameter: inspect.Parameter) -> bool:
    """Whether the code says that an argument is a tensor, and nothing else."""
    wanted = parameter.annotation
    return wanted is torch.Tensor or wanted in ("Tensor", "torch.Tensor")


def _annotated(parameter: inspect.Parameter) -> Iterator[Spec]:
    wanted = parameter.annotation
    text = wanted if isinstance(wanted, str) else getattr(wanted, "__name__", str(wanted))
    if re.search(r"(list|sequence)\[.*tensor", str(wanted), re.IGNORECASE):
        yield Spec("list", items=(floats(BATCH, WIDTH),) * 2)
    elif text == "int":
        value = by_name(parameter.name)
        yield plain(value if type(value) is int else 4)
    elif text in ("bool", "float", "str"):
        yield plain({"bool": False, "float": 0.5, "str": "x"}[text])
    elif text.endswith("LongTensor"):
        yield longs(10, BATCH, TIME)


def _special(name: str, module: nn.Module) -> Iterator[Spec]:
    """Arguments whose name says more than the layer that takes them."""
    embedding = _first(module, nn.Embedding)
    if isinstance(embedding, nn.Embedding) and _TOKENS.search(name):
        yield longs(embedding.num_embeddings, BATCH, TIME)
    recurrent = _first(module, nn.RNNBase)
    if isinstance(recurrent, nn.RNNBase) and _STATE.search(name):
        directions = 2 if recurrent.bidirectional else 1
        state = floats(recurrent.num_layers * directions, BATCH, recurrent.hidden_size)
        pair = Spec("tuple", items=(state, state))
        yield from (pair, state) if isinstance(recurrent, nn.LSTM) else (state, pair)
    elif _STATE.search(name):
        for attribute in ("hidden_size", "hidden_dim", "hidden", "state_size"):
            width = getattr(module, attribute, None)
            if type(width) is int:
                yield floats(BATCH, width)


def _taken(name: str, use: Use, module: nn.Module, program: Program) -> Iterator[Spec]:
    """What the first layer takes that the argument is given to."""
    for path in use.modules:
        inner = _at(module, path)
        layer = entry_layer(inner, program) if inner is not None else None
        if layer is not None:
            specs = of_layer(layer)
            wide = use.rank == 3 or use.least_rank == 3 or _SEQUENCE.search(name)
            yield from reversed(specs) if wide else specs
            return


def _named(name: str) -> Iterator[Spec]:
    if "device" in name:
        yield plain(torch.device(device_name()))
    if "mask" in name:
        yield from (plain(None), Spec("bool", (BATCH, TIME)), Spec("bool", (TIME, TIME)))
    if re.search(r"^(t|time|timesteps?|steps?)$", name):
        yield from (longs(10, BATCH), floats(BATCH))
    if re.search(r"len(gth)?s?$", name):
        yield plain(torch.full((BATCH,), TIME))
    if re.search(r"edge_index", name):
        yield longs(_NODES, 2, _LINKS)
    if re.search(r"^adj", name):
        yield floats(_NODES, _NODES)
    if re.search(r"label|target|^y$|^gt", name):
        yield from (longs(2, BATCH), floats(BATCH, WIDTH))
    if _IMAGE.search(name):
        yield floats(BATCH, 3, SIDE, SIDE)
    if _AUDIO.search(name):
        yield from (floats(BATCH, _SAMPLES), floats(BATCH, 1, _SAMPLES))
    if re.search(r"^(n|num|count|size|k|steps|dim|axis)$|^(n|num)_", name):
        yield plain(2 if name != "dim" else 1)


def _of_graph(name: str, guesses: list[Spec]) -> Iterator[Spec]:
    """Features have a row for each node, or for each edge."""
    if _EDGES.search(name):
        return
    if name == "batch" or "index" in name:
        yield longs(1, _NODES)
    widths = [spec.shape[-1] for spec in guesses if spec.kind == "float" and len(spec.shape) > 1]
    rows = _LINKS if name.startswith("edge") else _NODES
    if name == "pos":
        yield floats(rows, 3)
    if name in ("edge_weight", "edge_type", "z"):
        yield floats(rows) if name == "edge_weight" else longs(2, rows)
    for width in widths[:1]:
        yield floats(rows, width)


def _of_rank(rank: int, module: nn.Module | None) -> Iterator[Spec]:
    layer = first_layer(module) if module is not None else None
    channels = getattr(layer, "in_channels", 3)
    width = getattr(layer, "in_features", WIDTH)
    if rank == 5:
        yield floats(BATCH, channels, 8, 16, 16)
    elif rank == 4:
        yield floats(BATCH, channels, SIDE, SIDE)
    elif rank == 3:
        yield floats(BATCH, TIME, width)
    elif rank == 2:
        yield floats(BATCH, width)
    elif rank == 1:
        yield floats(BATCH)


def _usual(module: nn.Module | None, program: Program) -> Iterator[Spec]:
    layer = entry_layer(module, program) if module is not None else None
    if layer is not None:
        yield from of_layer(layer)
    yield floats(BATCH, WIDTH)
    yield floats(BATCH, TIME, WIDTH)
    yield floats(BATCH, 3, SIDE, SIDE)
    yield longs(10, BATCH, TIME)
    yield plain(None)
    yield plain(2)


def first_layer(module: nn.Module) -> nn.Module | None:
    """The first layer of torch within a module that says what it takes."""
    for layer in module.modules():
        if of_layer(layer):
            return layer
    return None


def entry_layer(module: nn.Module, program: Program, depth: int = 0) -> nn.Module | None:
    """The layer of torch to which a module's forward hands what it is given."""
    if of_layer(module):
        return module
    code = getattr(inspect.unwrap(type(module).forward), "__code__", None)
    node = function_node(code, program) if code is not None and depth < _DEPTH else None
    for use in uses(node).values() if node is not None else ():
        for path in use.modules:
            inner = _at(module, path)
            layer = entry_layer(inner, program, depth + 1) if inner is not None else None
            if layer is not None:
                return layer
    for inner in module.children():
        layer = entry_layer(inner, program, depth + 1)
        if layer is not None:
            return layer
    return None


def _first(module: nn.Module, kind: type[nn.Module]) -> nn.Module | None:
    return next((layer for layer in module.modules() if isinstance(layer, kind)), None)


def _at(module: nn.Module, path: str) -> nn.Module | None:
    """The submodule of a path; a number means the first of a list or dict."""
    found: Any = module
    for part in path.split("."):
        if part == "0" and isinstance(found, (nn.ModuleList, nn.Sequential, nn.ModuleDict)):
            found = next(iter(found.children()), None)
        else:
            found = getattr(found, part, None)
    return found if isinstance(found, nn.Module) else None
