"""What packages around torch gave up, and arguments that torch did: `tools/generate_removed.py`.

Names are those of the packages as they were; `lightning.pytorch` is `pytorch_lightning` too.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

from torchlint.torch_api.generated import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_GATHERED = "keep what `predict_step` gives on the module"

INSTEAD = {
    "amp_backend": "use `precision`",
    "amp_level": "use `precision`",
    "auto_lr_find": "use `Tuner(trainer).lr_find(model)`",
    "auto_scale_batch_size": "use `Tuner(trainer).scale_batch_size(model)`",
    "auto_select_gpus": "use `devices=find_usable_cuda_devices()`",
    "checkpoint_callback": "use `enable_checkpointing`, and pass callbacks in `callbacks`",
    "dispatch_batches": "use `dataloader_config=DataLoaderConfiguration(…)`",
    "distributed_backend": "use `strategy`",
    "even_batches": "use `dataloader_config=DataLoaderConfiguration(…)`",
    "every_n_val_epochs": "use `every_n_epochs`",
    "filepath": "use `dirpath` and `filename`",
    "fp16": 'use `mixed_precision="fp16"`',
    "gpus": 'use `accelerator="gpu", devices=…`',
    "ipus": 'use `accelerator="ipu", devices=…`',
    "log_gpu_memory": "use `DeviceStatsMonitor` in `callbacks`",
    "logging_dir": "use `project_dir`",
    "multiple_trainloader_mode": "use `CombinedLoader(…, mode)`",
    "num_processes": 'use `accelerator="cpu", devices=…`',
    "optimizer_idx": (
        "set `self.automatic_optimization = False`, and step `self.optimizers()` in `training_step`"
    ),
    "outputs": _GATHERED,
    "period": "use `every_n_epochs`",
    "progress_bar_refresh_rate": "use `TQDMProgressBar(refresh_rate=…)` in `callbacks`",
    "reload_dataloaders_every_epoch": "use `reload_dataloaders_every_n_epochs`",
    "replace_sampler_ddp": "use `use_distributed_sampler`",
    "results": _GATHERED,
    "resume_from_checkpoint": "use `trainer.fit(…, ckpt_path=…)`",
    "stochastic_weight_avg": "use `StochasticWeightAveraging` in `callbacks`",
    "terminate_on_nan": "use `detect_anomaly`",
    "tpu_cores": 'use `accelerator="tpu", devices=…`',
    "track_grad_norm": "use `grad_norm` in `on_before_optimizer_step`",
    "use_fp16": 'use `mixed_precision="fp16"`',
    "use_seedable_sampler": "use `dataloader_config=DataLoaderConfiguration(…)`",
    "verbose": "print `get_last_lr()`",
    "weights_save_path": "use `default_root_dir`",
    "weights_summary": "use `enable_model_summary`",
}
"""What to write for arguments that are no longer taken, or handed over."""

IDLE = frozenset({"verbose"})
"""Arguments that did nothing but have something printed."""

REFUSED = frozenset({"training_epoch_end", "validation_epoch_end", "test_epoch_end"})
"""Methods for which Lightning raises before it runs a module that has one."""

AFTER = {"test_epoch_end": "test_step"}
"""Those that it asks for in a loop only which needs another method first.

It looks for ``validation_epoch_end`` whenever it fits a module, whatever else that has.
"""

READ_ONLY = {"hparams": ("1.3", "save_hyperparameters(…)")}
"""Attributes of Lightning's modules that can only be read, since when, and what sets them now."""

UNTOLD = {
    "optimizer_idx": (
        "2.0",
        frozenset(
            "training_step optimizer_step optimizer_zero_grad on_before_optimizer_step "
            "configure_gradient_clipping lr_scheduler_step backward".split()
        ),
    ),
    **dict.fromkeys(("outputs", "results"), ("2.0", frozenset({"on_predict_epoch_end"}))),
}
"""What Lightning handed to methods of its modules, until which release, and to which of them."""

SAMPLES_NOTHING = "2.10"
"""Since then the constructor of ``Sampler`` takes no data: it has warned of that since 2.1."""

METHODS = {".backward(retain_variables)": ("1.0", "retain_graph")}
"""Arguments that methods of tensors no longer take, since when, and what they are called now."""

_LIGHTNING = "pytorch_lightning."
_PACKAGES = {"lightning": "pytorch_lightning", "lightning_fabric": "pytorch_lightning"}


def package(name: str) -> str:
    """The package that a dotted name is from."""
    first = name.partition(".")[0]
    return _PACKAGES.get(first, first)


def names(of: str) -> Mapping[str, str]:
    """The names that a package has given up, with the first release without each."""
    return _spelled(_table()[of].get("names", {}))


@functools.cache
def arguments(*of: str) -> Mapping[str, Mapping[str, str]]:
    """The arguments that what is in some packages no longer takes, by its name."""
    return _spelled(
        {n: gone for each in of for n, gone in _table()[each].get("arguments", {}).items()}
    )


def hooks() -> Mapping[str, str]:
    """The methods of modules that Lightning no longer calls."""
    found: Mapping[str, str] = _table()["pytorch_lightning"]["hooks"]
    return found


def _spelled(entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries by all names under which programs reach what they are about."""
    return {spelling: entry for name, entry in entries.items() for spelling in _spellings(name)}


def _spellings(name: str) -> Iterator[str]:
    yield name
    if name.startswith(_LIGHTNING):
        short = name.removeprefix(_LIGHTNING)
        yield f"lightning.pytorch.{short}"
        if "." not in short:
            yield f"lightning.{short}"


@functools.cache
def _table() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((TABLES / "removed.json").read_text("utf-8"))
    return found
