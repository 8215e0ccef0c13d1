"""Scalars: indices into tensors, and arrays of such, that have no dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import released
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.numerics import ScalarIndexed
from torchlint.interpreter.values import Const, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def indexed(machine: Machine, owner: Value, index: Value, spot: Spot) -> None:
    """A number takes something out of a tensor, which there has to have dimensions.

    Which of several values it is may have been asked before, or for which release this is.
    """
    record = owner if isinstance(owner, Number) else machine.get(owner)
    if isinstance(record, Number) and not (record.array or record.made):
        # A number of Python's own is no tensor.
        return
    if (
        not isinstance(record, (Number, Tensor))
        or record.shape != ()
        or not isinstance(index, Const)
    ):
        return
    if type(index.value) is not int or machine.choices or released.is_for_another(machine, spot):
        return
    if not released.have_scalars(machine):
        return
    machine.emit(ScalarIndexed, spot)
