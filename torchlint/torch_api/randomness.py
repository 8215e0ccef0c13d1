"""Random numbers that a dataset draws for its items, and where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import items
from torchlint.interpreter.events.workers import Drawn, GeneratorMade, Reseeded
from torchlint.interpreter.values import UNKNOWN, Instance, Ref
from torchlint.project.texts import tells_workers_apart
from torchlint.torch_api.registry import function, given, hear, method

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.torch_api.registry import Call

_TORCH = "torch.Generator"
_MAKING = (
    *(f"numpy.random.{name}" for name in ("default_rng", "Generator", "RandomState")),
    *("random.Random", _TORCH),
)
_OF_NUMPY = (
    "random rand randn randint random_sample ranf sample normal uniform standard_normal choice "
    "shuffle permutation beta binomial exponential gamma laplace lognormal multivariate_normal "
    "poisson multinomial dirichlet"
).split()
_DRAWING = (
    *_OF_NUMPY,
    *("integers permuted bytes hypergeometric geometric rayleigh triangular vonmises".split()),
    *("randrange choices getrandbits gauss betavariate expovariate normalvariate".split()),
)
_OF_TORCH = "rand randn randint randperm normal bernoulli multinomial poisson".split()
_FILLING = "normal_ uniform_ random_ bernoulli_ exponential_ multinomial bernoulli".split()
_RESEEDING = ("seed", "set_state", "setstate")


@given(*_MAKING)
def _made(call: Call, value: Value) -> None:
    if isinstance(value, Ref):
        # A variable of the module is worked out when it is first asked for.
        fresh = items.asked(call.machine) is not None and bool(call.spot.region.scope)
        call.machine.emit(GeneratorMade, call.spot, generator=value.address, fresh=fresh)


@function(_TORCH)
def _of_torch(call: Call) -> Value:
    return call.machine.new(Instance(_TORCH, spot=call.spot))


@method(_TORCH, "manual_seed")
def _seeded(call: Call) -> Value:
    """The generator itself, with a state of which somebody has thought."""
    assert isinstance(call.receiver, Ref)
    made = call.machine.get(call.receiver)
    if not isinstance(made, Instance) or made.spot is None or made.spot.region != call.spot.region:
        call.machine.emit(Reseeded, call.spot, generator=call.receiver.address)
    return call.receiver


@method(_TORCH, *_RESEEDING)
def _set(call: Call) -> Value:
    _reseeded(call)
    return UNKNOWN


@hear("opaque", *_RESEEDING)
def _reseeded(call: Call) -> None:
    if isinstance(call.receiver, Ref):
        call.machine.emit(Reseeded, call.spot, generator=call.receiver.address)


@hear("opaque", *_DRAWING)
def _drawn(call: Call) -> None:
    """A method of a generator, if it is one."""
    if isinstance(call.receiver, Ref):
        _note(call.machine, call.receiver.address, call.spot)


@hear("function", *(f"torch.{name}" for name in _OF_TORCH))
@hear("tensor", *_FILLING)
@hear("opaque", *_FILLING)
def _told(call: Call) -> None:
    """What draws from the generator that it is given."""
    generator = call.get("generator")
    if isinstance(generator, Ref):
        _note(call.machine, generator.address, call.spot)


@hear("function", "numpy.random.seed")
def _seeded_for_item(call: Call) -> None:
    """A state for numpy's global generator that an item asks for is of its own choice."""
    if items.asked(call.machine) is not None:
        call.machine.emit(Reseeded, call.spot, generator=None)


@hear("function", *(f"numpy.random.{name}" for name in _OF_NUMPY))
def _global(call: Call) -> None:
    _note(call.machine, None, call.spot)


def _note(machine: Machine, generator: int | None, spot: Spot) -> None:
    asked = items.asked(machine)
    if asked is None:
        return
    lineage = machine.index.family(asked.cls).lineage
    if any(tells_workers_apart(base.region.text) for base in lineage):
        return
    machine.emit(
        Drawn,
        spot,
        dataset=asked.dataset,
        owner=asked.cls.name,
        method=asked.method,
        generator=generator,
        apart=machine.index.texts.ask_for_workers and not machine.index.texts.tell_workers_apart,
    )
