"""All repairs that checks ask for."""

from torchlint.fixing.autograd import detached, full_hook, reentrant
from torchlint.fixing.classes import begin_module, plain_super, register, register_buffer
from torchlint.fixing.devices import (
    as_float,
    copied_plainly,
    follow_argument,
    follow_type,
    for_numpy,
    kept,
)
from torchlint.fixing.flags import called, flag_by_method, spelt, without_grad
from torchlint.fixing.layers import (
    apply_what_is_built,
    as_a_list,
    by_mode,
    call_the_module,
    each_anew,
    one_by_one,
    with_underscore,
)
from torchlint.fixing.legacy import detached_variable, with_dtype
from torchlint.fixing.loading import without
from torchlint.fixing.losses import reduced, unwrap
from torchlint.fixing.memory import detach_added, detach_stored
from torchlint.fixing.modes import evaluated_before, evaluated_without_grad, train_in_each_round
from torchlint.fixing.mutations import out_of_place
from torchlint.fixing.names import (
    argument_renamed,
    by_next,
    factors_last,
    last_part,
    last_rates,
    renewed,
    said,
    weights,
    weights_only,
)
from torchlint.fixing.numerics import call_what_is_built, take_item, test_for_nan
from torchlint.fixing.pairs import of_pairs
from torchlint.fixing.shapes import by_sample, flattened_by_sample, permuted, reshaped
from torchlint.fixing.sizes import with_input_size
from torchlint.fixing.speed import as_one_array, created_there, dropped
from torchlint.fixing.states import deep_copy, onto_the_cpu
from torchlint.fixing.training import clear_before
from torchlint.fixing.walks import without_retained_graph

__all__ = [
    "apply_what_is_built",
    "argument_renamed",
    "as_a_list",
    "as_float",
    "as_one_array",
    "begin_module",
    "by_mode",
    "by_next",
    "by_sample",
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
    "detached_variable",
    "dropped",
    "each_anew",
    "evaluated_before",
    "evaluated_without_grad",
    "factors_last",
    "flag_by_method",
    "flattened_by_sample",
    "follow_argument",
    "follow_type",
    "for_numpy",
    "full_hook",
    "kept",
    "last_part",
    "last_rates",
    "of_pairs",
    "one_by_one",
    "onto_the_cpu",
    "out_of_place",
    "permuted",
    "plain_super",
    "reduced",
    "reentrant",
    "register",
    "register_buffer",
    "renewed",
    "reshaped",
    "said",
    "spelt",
    "take_item",
    "test_for_nan",
    "train_in_each_round",
    "unwrap",
    "weights",
    "weights_only",
    "with_dtype",
    "with_input_size",
    "with_underscore",
    "without",
    "without_grad",
    "without_retained_graph",
]
