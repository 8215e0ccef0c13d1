"""Fixing: edits of the source that mend what a check has found, or nothing where none is right.

        return getattr(import_module("torchlint.fixing.repairs"), name)
    "apply_what_is_built",
    "as_float",
    "as_one_array",
    "begin_module",
    "by_mode",
    "call_the_module",
    "call_what_is_built",
    "called",
    "clear_before",
    "copied_plainly",
    "created_there",
    "deep_copy",
    "detach_added",
    "detach_stored",
    "detached",
    "dropped",
    "each_anew",
    "evaluated_before",
    "evaluated_without_grad",
    "flag_by_method",
    "follow_argument",
    "for_numpy",
    "full_hook",
    "kept",
    "last_part",
    "one_by_one",
    "onto_the_cpu",
    "out_of_place",
    "reentrant",
    "register",
    "register_buffer",
    "renewed",
    "spelt",
    "take_item",
    "test_for_nan",
    "train_in_each_round",
    "unwrap",
    "weights",
    "weights_only",
    "with_underscore",
    "without",
    "without_grad",
    "without_retained_graph",
    apply_what_is_built,
    by_mode,
    call_the_module,
    def __getattr__(name: str) -> object:
    each_anew,
    from importlib import import_module
    from torchlint.fixing.repairs import *  # noqa: F403
    one_by_one,
    with_underscore,
"""
)
Loaded when the first finding asks for a repair: libcst alone takes longer than a file to read.
]
__all__ = [
else:
if TYPE_CHECKING:
from __future__ import annotations
from torchlint.fixing.autograd import detached, full_hook, reentrant
from torchlint.fixing.classes import begin_module, register, register_buffer
from torchlint.fixing.devices import as_float, copied_plainly, follow_argument, for_numpy, kept
from torchlint.fixing.flags import called, flag_by_method, spelt, without_grad
from torchlint.fixing.layers import (
from torchlint.fixing.loading import without
from torchlint.fixing.losses import unwrap
from torchlint.fixing.memory import detach_added, detach_stored
from torchlint.fixing.modes import evaluated_before, evaluated_without_grad, train_in_each_round
from torchlint.fixing.mutations import out_of_place
from torchlint.fixing.names import last_part, renewed, weights, weights_only
from torchlint.fixing.numerics import call_what_is_built, take_item, test_for_nan
from torchlint.fixing.speed import as_one_array, created_there, dropped
from torchlint.fixing.states import deep_copy, onto_the_cpu
from torchlint.fixing.training import clear_before
from torchlint.fixing.walks import without_retained_graph
from typing import TYPE_CHECKING
