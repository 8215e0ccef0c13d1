"""Calls of what lies outside the project: known APIs by name, the rest by what they can do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.interpreter import (
    containers,
    holdings,
    opaque,
    optimizers,
    parts,
    ranks,
    schedulers,
    sizing,
    trips,
)
from torchlint.interpreter.openness import LAST, OPEN
from torchlint.interpreter.switches import BUILT, UNSEEN
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Const,
    Instance,
    Mapping,
    Opaque,
    Tuple,
    options_of,
)
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import (
    constructors,
    flags,
    generated,
    layers,
    losses,
    modules,
    operations,
    placing,
    torchvision,
)
from torchlint.torch_api.registry import FUNCTIONS, gave, heard

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

_HARMLESS = (
    "builtins. math. cmath. random. time. datetime. os. sys. re. json. logging. pathlib. warnings. "
    "collections. itertools. functools. operator. typing. contextlib. argparse. pickle. shutil. "
    "numpy. pandas. matplotlib. sklearn. scipy. PIL. cv2. tqdm. wandb. tensorboard. yaml. rich. "
    "torch.utils.tensorboard. torch.cuda. torch.backends. torch.nn.utils. torch.nn.init. "
    "torch.distributed. torch.save torch.load torch.manual_seed "
    "torchvision. torchmetrics. torchaudio. torch.utils.data. torch.optim.swa_utils. "
    "torch.profiler. torch.distributions. einops. accelerate.utils. albumentations. "
    "pprint. csv. io. glob. hashlib. tempfile. inspect. traceback. gc. loguru. termcolor. "
    "tabulate. seaborn. plotly. imageio. skimage. psutil. h5py. joblib.dump joblib.load librosa. "
    "soundfile. torchsummary. torchinfo. thop. ptflops. torchviz. tensorboardX. mlflow. comet_ml. "
    "safetensors."
).split()
"""Beginnings of names that neither walk back a graph nor touch an optimizer."""

_TOLD = (
    *("torch.distributed.", "torch.cuda.", "torch.device", "torch.nn.", "torch.multiprocessing."),
    *("torch.utils.data.DistributedSampler", "builtins.print", "builtins.int", "builtins.str"),
    "logging.",
)
"""Beginnings of names of what is told the rank and does not divide data by it."""


_OF_ARRAYS = ("ase.", "cv2.", "matscipy.", "pandas.", "PIL.", "scipy.", "skimage.", "sklearn.")
"""Beginnings of names of what knows nothing of torch, and makes an array of what it is given."""

_WITHOUT_WEIGHTS = (
    *("torchaudio.transforms.", "torchvision.transforms.", "torchmetrics."),
    *("json.load", "yaml.load", "yaml.safe_load", "yaml.full_load", "tomllib.load", "toml.load"),
)
"""Beginnings of names of modules that have no parameters, and of what reads settings."""

_OPTIMIZERS = Pattern(r"optim|adam|sgd", re.IGNORECASE)
"""What libraries call their optimizers, or where they have them."""


def call(call: Call) -> Value:
    """The value of calling something external."""
    return gave(call, _call(call))


def _call(call: Call) -> Value:
    if not call.name.startswith(_TOLD):
        ranks.given(call.machine, call.arguments.values(), call.spot)
    flags.told(call)
    heard("function", call)
    handler = FUNCTIONS.get(call.name)
    if handler is not None:
        return handler(call)
    if generated.is_module(call.name):
        return _module(call)
    if generated.is_optimizer(call.name):
        return optimizers.build(call.machine, call.name, call.arguments, call.spot)
    if generated.is_operation(call.name):
        op = call.name.removeprefix("torch.")
        loss = generated.loss_function(call.name)
        if loss is not None:
            return layers.computed_loss(
                call.machine, loss, operations.bound(call, op, None), call.spot
            )
        return operations.apply(call, op)
    if generated.is_scheduler(call.name):
        return schedulers.build(call.machine, call.name, call.arguments, call.spot)
    if modules.is_pretrained(call.name):
        device = (
            placing.home(call.machine, call.spot) if modules.is_plain_model(call.name) else None
        )
        modes = BUILT if call.name.startswith("torchvision.") else UNSEEN
        return call.machine.new(Instance(call.name, spot=call.spot, modes=modes, device=device))
    return _other(call)


def _module(call: Call) -> Value:
    """A new layer of torch, with the arguments of its constructor as attributes."""
    short = call.name.rpartition(".")[2]
    if parts.misbuilt(call.machine, short, call.arguments.positional, call.spot):
        # It is meant to be something: what follows is not held against it.
        return opaque.result(call.machine, call.arguments, call.spot)
    attributes = settings(call)
    sizing.count(call.machine, attributes)
    if constructors.refused(call, short, attributes):
        return opaque.result(call.machine, call.arguments, call.spot)
    if "dtype" in generated.constructor_names(short):
        attributes.setdefault("dtype", NONE)
    if generated.loss_functional(call.name) is not None:
        losses.built(call, short)
    device = None
    if "device" not in call.arguments.keywords and not call.arguments.open:
        device = placing.home(call.machine, call.spot)
    return call.machine.new(Instance(call.name, attributes, spot=call.spot, device=device))


def settings(call: Call) -> dict[str, Value]:
    """The attributes that the constructor of a layer of torch gives to it."""
    short = call.name.rpartition(".")[2]
    if short in {"Sequential", "ModuleList"}:
        return _children(call)
    if short == "ModuleDict":
        return _named_children(call)
    names = generated.constructor_names(short)
    # Any option may come with what is handed on.
    attributes: dict[str, Value] = dict.fromkeys(names, UNKNOWN) if call.arguments.open else {}
    attributes |= zip(names, call.arguments.positional, strict=False)
    return attributes | call.arguments.keywords


def _is_object(machine: Machine, value: Value) -> bool:
    """Whether a value is an object of a class, or any of several."""
    return all(isinstance(machine.peek(option), Instance) for option in options_of(value))


def _children(call: Call) -> dict[str, Value]:
    """The layers of a container, numbered; a star of unknown length leaves it open."""
    machine = call.machine
    values = list(call.arguments.values())  # ``modules=`` is the only name that a list takes.
    if len(values) == 1:
        record = machine.peek(values[0])
        if isinstance(record, Mapping):
            named = {f"@{key}": value for key, value in record.items}
            return named if record.rest is None else {**named, OPEN: record.rest}
        items = containers.known_items(machine, values[0])
        is_list = call.name.endswith("ModuleList")
        if is_list or not _is_object(machine, values[0]):
            if items is None:
                others = {OPEN: containers.element(machine, values[0], call.spot)}
                return (
                    {**others, LAST: Tuple(call.arguments.last)} if call.arguments.open else others
                )
            values = items
    children = {str(i): value for i, value in enumerate(values)}
    if call.arguments.open:
        children |= {OPEN: Const(True), LAST: Tuple(call.arguments.last)}
    return children


def _named_children(call: Call) -> dict[str, Value]:
    """The layers of a dict of them: those of a dict, or of pairs of names and layers."""
    machine, given = call.machine, next(iter(call.arguments.values()), None)
    if given is None and not call.arguments.open:
        return {}
    record = machine.get(given) if given is not None else None
    if isinstance(record, Mapping):
        named = {f"@{key}": value for key, value in record.items}
        return named if record.rest is None else {**named, OPEN: record.rest}
    pairs = containers.known_items(machine, given) if given is not None else None
    children = {}
    for pair in pairs or ():
        items = containers.known_items(machine, pair)
        if items is None or len(items) != 2 or not isinstance(items[0], Const):
            return {OPEN: UNKNOWN}
        children[f"@{items[0].value}"] = items[1]
    return children if pairs is not None else {OPEN: UNKNOWN}


def _other(call: Call) -> Value:
    """Something that is only known by where it comes from, if at all."""
    if _is_optimizer(call):
        return optimizers.build(call.machine, call.name, call.arguments, call.spot)
    if not call.name.startswith(("builtins.", "logging.")):
        trips.touched(call.machine, call.arguments.values(), call.spot)
    if call.name.startswith(_OF_ARRAYS):
        placing.read_here(call.machine, call.arguments.values())
    if not call.name.startswith(tuple(_HARMLESS)):
        opaque.lend(call.machine, call.arguments, call.spot)
        ranks.unseen(call.machine, call.spot)
    given = opaque.given(call.machine, call.arguments, call.spot)
    bare = call.name.startswith(_WITHOUT_WEIGHTS) or torchvision.is_of_weights(call.name)
    name = call.name.rpartition(".")[2]
    named = Opaque(name, node=given.node, source=given.source, bare=bare)
    return opaque.found(call.machine, named, call.spot)


def _is_optimizer(call: Call) -> bool:
    """Whether a class of another library is told parameters, and the rate at which they learn.

    Of what is not known to be parameters the class has to say so.
    """
    short, given = call.name.rpartition(".")[2], call.get("params", 0)
    told = call.arguments.keywords
    if not short[:1].isupper() or "lr" not in told or given is None or isinstance(given, Const):
        return False
    called = "params" in told or _OPTIMIZERS.search(call.name) is not None
    return called or holdings.parameters_in(call.machine, given) is not None
