"""The experiments, by the code of the rule whose claim they put to the test."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import replace

from .protocol import OPEN, Job, Observation

_MOST_READ = 4000

Experiment = Callable[[Job], Observation]

# "module:name" of a function of a job, or of a claim, within this package (claims are kept in
# "families.<family>"); the module is imported when its first job arrives.
EXPERIMENTS: dict[str, str] = {
    "TL101": "inplace:breaks_backward",
    "TL102": "inplace:changes_argument",
    "TL103": "families.autograd:inplace_on_leaf",
    "TL104": "families.graph:backward_twice",
    "TL105": "families.graph:backward_without_graph",
    "TL106": "families.graph:graph_cut",
    "TL107": "families.autograd:data_attribute",
    "TL108": "families.graph:retained_graph",
    "TL109": "contracts:custom_function_contract",
    "TL110": "families.autograd:anomaly_detection_left_on",
    "TL111": "families.graph:grad_of_non_leaf",
    "TL112": "families.autograd:requires_grad_typo",
    "TL113": "families.autograd:no_grad_without_effect",
    "TL114": "families.autograd:checkpoint_without_use_reentrant",
    "TL115": "families.autograd:hook_leak",
    "TL116": "families.autograd:legacy_backward_hook",
    "TL117": "families.autograd:requires_grad_on_module",
    "TL118": "families.numerics:where_nan_gradient",
    "TL119": "lost:lost_indexed_write",
    "TL120": "families.autograd:write_to_expanded",
    "TL121": "families.graph:backward_on_non_scalar",
    "TL122": "families.graph:backward_without_graph",
    "TL123": "families.graph:numpy_on_loss_path",
    "TL124": "families.graph:missing_create_graph",
    "TL125": "families.graph:undetached_target",
    "TL201": "loops:missing_zero_grad",
    "TL202": "loops:missing_step",
    "TL203": "families.steps:step_order",
    "TL204": "families.steps:missing_backward",
    "TL205": "families.steps:scheduler_misuse",
    "TL206": "families.steps:clip_misplaced",
    "TL207": "families.steps:scaler_misuse",
    "TL208": "evaluations:eval_in_train_mode",
    "TL209": "families.modes:train_mode_not_restored",
    "TL210": "evaluations:eval_with_grad",
    "TL211": "families.steps:optimizer_parameters",
    "TL212": "families.steps:accumulation_unscaled",
    "TL213": "families.distributed:sampler_epoch",
    "TL214": "families.steps:learning_rate",
    "TL215": "families.steps:rebuilt_in_loop",
    "TL216": "kept_states:best_state_alias",
    "TL217": "unseeded:unseeded",
    "TL218": "swallowed:swallowed_failure",
    "TL219": "families.debugging:debug_left_in",
    "TL220": "families.steps:closure_missing",
    "TL221": "namings:bare_method_reference",
    "TL222": "namings:load_state_dict_reassigned",
    "TL223": "rounds:loop_ends_early",
    "TL224": "averages:metric_average",
    "TL225": "families.adversaries:gan_detach",
    "TL226": "families.modes:frozen_norm_updates",
    "TL227": "families.seeds:seed_in_loop",
    "TL230": "families.distributed:collective_under_rank",
    "TL231": "families.distributed:ddp_bypassed",
    "TL232": "families.states:wrapped_state_dict",
    "TL233": "families.distributed:async_without_wait",
    "TL234": "families.distributed:missing_distributed_sampler",
    "TL240": "families.frameworks:lightning_contract",
    "TL241": "families.frameworks:accelerate_contract",
    "TL301": "losses:softmax_before_cross_entropy",
    "TL302": "losses:sigmoid_before_bce_with_logits",
    "TL303": "families.losses:nll_without_log_softmax",
    "TL304": "families.losses:bce_on_logits",
    "TL305": "families.losses:kl_div_arguments",
    "TL306": "families.targets:cross_entropy_target",
    "TL310": "families.targets:softmax_dim",
    "TL311": "families.targets:loss_broadcast",
    "TL312": "families.targets:non_differentiable_loss",
    "TL313": "families.targets:loss_arguments_swapped",
    "TL315": "families.losses:repeated_normalisation",
    "TL316": "families.losses:activation_after_norm_loss",
    "TL320": "families.targets:softmax_over_one",
    "TL321": "families.losses:sigmoid_then_bce",
    "TL307": "families.numerics:log_unguarded",
    "TL308": "families.numerics:division_unguarded",
    "TL309": "families.numerics:sqrt_at_zero",
    "TL314": "families.numerics:loss_class_called_with_data",
    "TL317": "families.numerics:nan_equality",
    "TL318": "families.halves:epsilon_below_half",
    "TL319": "families.numerics:fully_masked_softmax",
    "TL322": "families.affine:missing_nonlinearity",
    "TL323": "alike:constant_weights",
    "TL324": "families.numerics:loss_from_data",
    "TL404": "families.layers:forward_called_directly",
    "TL410": "families.layers:bias_before_batch_norm",
    "TL416": "families.layers:init_without_effect",
    "TL417": "built_once:mutable_default_module",
    "TL418": "families.layers:weight_tying_broken",
    "TL421": "families.layers:tuple_in_sequential",
    "TL422": "families.layers:repeated_activation",
    "TL407": "always_on:functional_dropout_always_on",
    "TL408": "rebuilt:module_created_in_forward",
    "TL401": "families.classes:missing_super_init",
    "TL405": "families.layers:shared_layer",
    "TL409": "lost_parameters:parameter_lost",
    "TL415": "families.layers:sequential_of_list",
    "TL420": "families.layers:layer_called_as_function",
    "TL402": "families.classes:unregistered_submodule",
    "TL406": "families.classes:unused_submodule",
    "TL419": "families.classes:undefined_attribute",
    "TL412": "methods:module_method_overridden",
    "TL413": "methods:missing_forward",
    "TL414": "methods:forward_returns_none",
    "TL411": "late:late_parameters",
    "TL403": "devices:unregistered_tensor",
    "TL423": "remembering:state_kept_in_forward",
    "TL701": "families.shapes:shape_mismatch",
    "TL710": "families.shapes:rank_mismatch",
    "TL714": "families.shapes:channels_last_input",
    "TL501": "devices:tensor_without_device",
    "TL503": "families.devices:move_discarded",
    "TL502": "families.devices:hard_coded_cuda",
    "TL504": "families.devices:device_mismatch",
    "TL505": "families.devices:load_without_map_location",
    "TL506": "families.devices:dtype_mismatch",
    "TL507": "families.devices:index_dtype",
    "TL508": "families.devices:tensor_from_tensor",
    "TL513": "narrowness:dtype_not_followed",
    "TL512": "families.bytes:integer_overflow",
    "TL511": "families.devices:truth_of_tensor",
    "TL509": "families.legacy:legacy_tensor_type",
    "TL514": "families.devices:numpy_of_graph_tensor",
    "TL510": "families.devices:result_discarded",
    "TL601": "datasets:module_in_dataset",
    "TL602": "forked:cuda_in_dataset",
    "TL603": "pickles:unpicklable_in_dataset",
    "TL604": "shared_draws:shared_rng_in_dataset",
    "TL605": "thrift:loader_settings",
    "TL606": "orders:loader_shuffle",
    "TL608": "workers:iterable_duplicates",
    "TL609": "imports:main_guard",
    "TL611": "leaks:split_leak",
    "TL612": "augmented:augmented_evaluation",
    "TL616": "images:transform_order",
    "TL607": "dataset_methods:dataset_contract",
    "TL610": "beginnings:first_batch_forever",
    "TL613": "lone:batch_norm_last_batch",
    "TL614": "families.loaders:exhausted_loader",
    "TL615": "families.loaders:loader_argument_conflict",
    "TL702": "families.shapes:squeeze_drops_batch",
    "TL703": "families.shapes:view_as_transpose",
    "TL705": "families.batches:batch_size_hard_coded",
    "TL706": "families.shapes:batch_folded",
    "TL704": "families.shapes:view_of_non_contiguous",
    "TL711": "families.pairs:reduction_returns_pair",
    "TL712": "families.shapes:flattened_batch",
    "TL713": "families.shapes:reduction_over_batch",
    "TL707": "families.settings:index_out_of_range",
    "TL715": "families.settings:einsum_pattern",
    "TL708": "families.sequences:rnn_batch_first",
    "TL709": "families.settings:layer_arguments",
    "TL801": "loops:graph_kept",
    "TL802": "loops:graph_kept",
    "TL803": "families.speed:sync_in_hot_loop",
    "TL804": "vectorised:loop_over_tensor",
    "TL805": "families.speed:tensor_from_arrays",
    "TL806": "families.speed:empty_cache_in_loop",
    "TL807": "families.speed:cat_in_loop",
    "TL808": "families.speed:compile_in_loop",
    "TL809": "families.speed:grad_zeroed_not_none",
    "TL810": "trips:cpu_roundtrip",
    "TL811": "families.speed:created_then_moved",
    "TL812": "families.descents:parameter_loop_step",
    "TL813": "clocks:timing_without_synchronize",
    "TL815": "families.attention:hand_written_attention",
    "TL814": "families.speed:constant_rebuilt",
    "TL901": "families.api:removed_api",
    "TL902": "families.api:deprecated_api",
    "TL903": "families.api:unsafe_load",
    "TL905": "families.api:torchvision_legacy",
    "TL906": "families.determinism:nondeterministic",
    "TL907": "exported:onnx_export_in_train_mode",
    "TL908": "families.api:whole_model_pickle",
    "TL909": "families.api:strict_false_ignored",
    "TL911": "recorded:traced_control_flow",
    "TL910": "families.api:compile_discarded",
}

# Claims about devices: where tensors are, what is copied between them, and who waits for one.
OF_DEVICES = frozenset(
    ["TL403", "TL501", "TL503", "TL504", "TL514", "TL803", "TL806", "TL810", "TL811", "TL813"]
)

# What else the runner can be asked: about code as such, without a rule.
SURVEYS: dict[str, str] = {"modules": "surveys:comes_through"}


def experiment(code: str) -> Experiment:
    """The experiment of a rule, or a survey; KeyError where there is none."""
    module, _, name = (EXPERIMENTS.get(code) or SURVEYS[code]).partition(":")
    found: Experiment = getattr(importlib.import_module(f".{module}", __package__), name)
    return found


def observe(job: Job) -> Observation:
    """Run the job's experiment; one that fails by itself leaves the question open."""
    began, device = time.monotonic(), _device(job)
    if job.device not in (device, "auto"):
        return Observation(OPEN, reason="torch finds no CUDA device here", device=job.device)
    try:
        seen = experiment(job.code)(job)
    except Exception as error:
        seen = Observation(OPEN, reason=f"the experiment failed: {describe(error)}")
    return replace(seen, seconds=round(time.monotonic() - began, 3), device=device)


def _device(job: Job) -> str:
    """Where a job runs; most are not to use an accelerator, and need not look for one."""
    if not job.accelerated:
        return job.device
    from .present import where_it_runs

    return where_it_runs()


def describe(error: BaseException) -> str:
    """Name and first line of an exception, short enough for a line of the report."""
    first = (str(error)[:_MOST_READ].strip().splitlines() or [""])[0]
    text = f"{type(error).__name__}: {first}" if first else type(error).__name__
    return shortened(text, 200)


def shortened(text: str, most: int) -> str:
    """A text in one line, as much of it as is shown; what is left out is marked."""
    line = " ".join(text[:_MOST_READ].split())
    if len(line) <= most:
        return line
    head = line[: most - 1]
    words = head.rpartition(" ")[0]
    # A word as long as all before it is cut in two.
    return (words if 2 * len(words) > len(head) else head) + "…"
