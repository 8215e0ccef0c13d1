"""Claims about what costs more than it has to (TL803, TL805 to TL809, TL811)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from ..claims import NOTHING, Sees, Sighting, Warns

if TYPE_CHECKING:
    from ..tally import Answer

_FACTORIES = (
    "zeros ones empty full arange eye linspace logspace tril_indices triu_indices "
    "rand randn randint randperm normal hann_window hamming_window"
)

_FORMS = (
    "float double half bfloat16 long int short bool byte type unsqueeze squeeze view reshape "
    "expand expand_as repeat tile flatten unflatten t transpose swapaxes permute __getitem__"
)
_AFTERWARDS = [f"torch.Tensor.{name}" for name in _FORMS.split()]


def _is_same_tensor(one: Any, other: Any) -> bool:
    """Whether two are one; a `Variable` of a tensor is another object with the same memory."""
    if one is other:
        return True
    if not one.layout == other.layout == torch.strided or one.shape != other.shape:
        return False
    return bool(one.data_ptr() == other.data_ptr())


def _made_elsewhere(call: Sighting) -> Answer:
    """A factory's tensor is on the CPU, and is copied, as it is or in another form."""
    made: list[Any] = call.memory.setdefault("made", [])
    if not call.name.startswith("torch.Tensor."):
        made.append(call.result)
        return None if call.result.device.type == "cpu" else False
    goal = call.result.device
    if not any(_is_same_tensor(call.receiver, one) for one in made):
        return None
    if call.name in _AFTERWARDS:
        made.append(call.result)
        return None
    if goal.type == "cpu":
        return None
    if not call.result.numel():
        # Of what has no elements nothing is copied.
        return None
    size = call.result.numel() * call.result.element_size()
    return (
        f"on {call.device} a tensor {list(call.result.shape)} is made on the CPU and its "
        f"{size} bytes are copied to {goal}"
    )


created_then_moved = Sees(
    " ".join(
        [
            *(f"torch.{name}" for name in _FACTORIES.split()),
            *("torch.Tensor.to", "torch.Tensor.cuda", *_AFTERWARDS),
        ]
    ),
    _made_elsewhere,
    on_device=True,
    matters=NOTHING,
    anywhere=True,
    led=True,
)


def _longer_each_time(call: Sighting) -> Answer:
    """Every call copies what the last one gave, which nothing else has read, and that grows."""
    last = call.memory.get("last")
    call.memory["last"] = call.result
    if last is None:
        return None
    parts = call.args[0] if call.args else call.kwargs["tensors"]
    if call.reads or not any(part is last for part in parts):
        return False
    copied = call.memory["copied"] = call.memory.get("copied", 0) + last.numel()
    call.memory["rounds"] = call.memory.get("rounds", 1) + 1
    return (
        f"in {call.memory['rounds']} rounds {copied} elements are copied again that had been "
        f"copied before, for a result of {call.result.numel()}"
    )


cat_in_loop = Sees(
    "torch.cat torch.concat torch.concatenate torch.hstack torch.vstack torch.dstack "
    "torch.column_stack",
    _longer_each_time,
    times=2,
    matters=NOTHING,
)


def _same_again(call: Sighting) -> Answer:
    """What is compiled was compiled before."""
    given = call.given(0, "model", call.kwargs.get("func"))
    seen: list[Any] = call.memory.setdefault("seen", [])
    known = any(_is_same(given, one) for one in seen)
    seen.append(given)
    if len(seen) == 1:
        return None
    return f"call {len(seen)} compiles what an earlier one has compiled" if known else False


def _is_same(one: Any, other: Any) -> bool:
    """Whether two are one object, or one method of it, or were made by one piece of code."""
    if hasattr(one, "__self__") or hasattr(one, "__code__"):
        return one == other or getattr(one, "__code__", one) is getattr(other, "__code__", other)
    return one is other


compile_in_loop = Sees(
    "torch.compile torch.jit.script torch.jit.trace", _same_again, times=2, matters=NOTHING
)


tensor_from_arrays = Warns(
    "Creating a tensor from a list of numpy.ndarrays is extremely slow",
    UserWarning,
    matters=NOTHING,
)


def _zeros_left(call: Sighting) -> Answer:
    """Gradients that hold zeros where nothing would do."""
    if call.name == "torch.Tensor.zero_":
        return f"{call.receiver.numel()} zeros are written, for the next backward to add to"
    if isinstance(call.receiver, torch.optim.Optimizer):
        held = [one for group in call.receiver.param_groups for one in group["params"]]
    else:
        held = list(call.receiver.parameters())
    left = [one.grad for one in held if one.grad is not None]
    if not left:
        # Before the first backward there are none in either case.
        return False if call.steps else None
    return f"{len(left)} gradients hold {sum(one.numel() for one in left)} zeros after the call"


grad_zeroed_not_none = Sees(
    "torch.optim.Optimizer.zero_grad torch.nn.Module.zero_grad torch.Tensor.zero_",
    _zeros_left,
    matters=NOTHING,
)


def _same_made(call: Sighting) -> Answer:
    """What is made was made before, and has not been changed since."""
    made, last = call.result, call.memory.get("made")
    steps: int = call.memory.get("steps", 0)
    call.memory["steps"] = call.steps
    call.memory["made"] = made
    call.memory["version"], version = made._version, call.memory.get("version")
    if last is None:
        return None
    if last.shape != made.shape or last._version != version or not torch.equal(last, made):
        return False
    if call.steps <= steps:
        return False
    call.memory["times"] = call.memory.get("times", 1) + 1
    return f"it made the same {list(made.shape)} {call.memory['times']} times in {call.steps} steps"


constant_rebuilt = Sees(
    "torch.arange torch.eye torch.linspace torch.logspace torch.tril_indices torch.triu_indices "
    "torch.hann_window torch.hamming_window torch.blackman_window torch.bartlett_window "
    "torch.kaiser_window torch.triu torch.tril",
    _same_made,
    times=2,
    matters=NOTHING,
)

_READS = "item tolist cpu to numpy __float__ __int__ __repr__ __format__"
_MOST_OPTIMIZERS = 4


def _each_step(call: Sighting) -> Answer:
    """Between one call and the next there is a step, and not many."""
    last = call.memory.get("steps")
    call.memory["steps"] = call.steps
    if last is None:
        return None
    if not last < call.steps <= last + _MOST_OPTIMIZERS:
        return False
    call.memory["calls"] = call.memory.get("calls", 1) + 1
    return f"it was called {call.memory['calls']} times in {call.steps} steps of the optimizer"


empty_cache_in_loop = Sees(
    "torch.cuda.empty_cache torch.mps.empty_cache torch.cuda.synchronize torch.mps.synchronize "
    "gc.collect",
    _each_step,
    times=3,
    on_device=True,
    matters=NOTHING,
)


def _read_each_step(call: Sighting) -> Answer:
    """Values come from the device, once a step."""
    here = call.result.device.type if isinstance(call.result, torch.Tensor) else "cpu"
    if call.receiver.device.type == "cpu" or here != "cpu":
        return None
    answer = _each_step(call)
    return f"on {call.device} {answer}" if answer else answer


sync_in_hot_loop = Sees(
    " ".join(f"torch.Tensor.{name}" for name in _READS.split()),
    _read_each_step,
    times=2,
    on_device=True,
    matters=NOTHING,
)
