"""Kinds of classes: modules, datasets, loaders, optimizers, and the methods these have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.project.outline import Definition
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from torchlint.project.index import Index

_MODULES = frozenset(
    {
        "torch.nn.Module",
        "lightning.LightningModule",
        "pytorch_lightning.LightningModule",
        "lightning.pytorch.LightningModule",
        "pytorch_lightning.core.module.LightningModule",
        "transformers.PreTrainedModel",
        "huggingface_hub.PyTorchModelHubMixin",
        "torch.nn.parallel.DistributedDataParallel",
    }
)
SAMPLER = "torch.utils.data.Sampler"

_DATASETS = frozenset(
    {
        "torch.utils.data.Dataset",
        "torch.utils.data.IterableDataset",
        "torch.utils.data.TensorDataset",
        "torch.utils.data.ConcatDataset",
        "torch.utils.data.Subset",
        "torch_geometric.data.Dataset",
        "torch_geometric.data.InMemoryDataset",
    }
)
WORK = "torch.distributed.Work"
"""The handle of an operation that goes on in the background."""

GRAPHS = tuple(
    f"torch_geometric.nn.{inner}{name}Conv"
    for name in "ARMA Cheb GAT GATv2 GCN Graph RGCN SAGE SG TAG Transformer".split()
    for inner in ("", "conv.")
)
"""Layers of graphs, with weights of their own."""

PRETRAINED = (
    *GRAPHS,
    "torchvision.models.",
    "timm.create_model",
    "transformers.AutoModel",
    "torch.hub.load",
)
"""What gives a whole model, by the beginning of its name."""

_FUNCTIONS = frozenset({"torch.autograd.Function", "torch.autograd.function.Function"})
_LOADERS = frozenset({"torch.utils.data.DataLoader", "torch_geometric.loader.DataLoader"})

MODULE_METHODS = frozenset(
    "parameters named_parameters buffers named_buffers children named_children modules "
    "named_modules train eval to cuda cpu half float double bfloat16 type apply zero_grad "
    "requires_grad_ state_dict load_state_dict register_buffer register_parameter add_module "
    "register_module register_forward_hook register_forward_pre_hook compile get_parameter "
    "get_submodule share_memory append extend insert items keys values pop update log log_dict "
    "optimizers manual_backward lr_schedulers toggle_optimizer untoggle_optimizer freeze unfreeze "
    "configure_optimizers forward __call__ "
    "register_full_backward_hook register_full_backward_pre_hook register_backward_hook "
    "extra_repr __delattr__".split()
)


def name_of(cls: Definition | str) -> str:
    """The name of a class for the reader, also where one of its methods has made the object."""
    if isinstance(cls, Definition):
        return cls.name
    owner, _, last = cls.rpartition(".")
    named = owner.rpartition(".")[2]
    return named if last[:1].islower() and named[:1].isupper() else last


def full_name(cls: Definition | str) -> str:
    """The dotted name of an external class; the bare name of one of the project's."""
    return cls.name if isinstance(cls, Definition) else cls


def bases(index: Index, cls: Definition | str) -> frozenset[str]:
    """The external classes that a class is or derives from."""
    return index.externals(cls) if isinstance(cls, Definition) else frozenset({cls})


def is_lightning(index: Index, cls: Definition | str) -> bool:
    """Whether a class is a LightningModule."""
    return any(name.endswith(".LightningModule") for name in bases(index, cls))


def is_of_lightning(index: Index, cls: Definition | str) -> bool:
    """Whether a class is one whose methods Lightning's trainer calls."""
    ends = (".LightningModule", ".LightningDataModule")
    return any(name.endswith(ends) for name in bases(index, cls))


def is_part(index: Index, cls: Definition) -> bool:
    """Whether objects of a class are parts of models, which train nothing by themselves."""
    return is_module(index, cls) and not is_lightning(index, cls)


def is_module(index: Index, cls: Definition | str) -> bool:
    """Whether a class is an ``nn.Module``."""
    return any(
        name in _MODULES or generated.is_module(name) or name.startswith(PRETRAINED)
        for name in bases(index, cls)
    )


def may_be_module(index: Index, cls: Definition) -> bool:
    """Whether a class may be one: it has a forward, and a base of which nothing is known."""
    has_forward = isinstance(index.member(cls, "forward"), Definition)
    return has_forward and bool(index.externals(cls) - {"object"})


def is_loss(cls: Definition | str) -> bool:
    """Whether a class is one of torch's losses."""
    return isinstance(cls, str) and generated.loss_functional(cls) is not None


def is_dataset(index: Index, cls: Definition | str) -> bool:
    """Whether a class is a Dataset."""
    return any(
        name in _DATASETS or name.startswith("torchvision.datasets.") for name in bases(index, cls)
    )


def is_sampler(index: Index, cls: Definition | str) -> bool:
    """Whether a class is a Sampler."""
    return SAMPLER in bases(index, cls)


def is_loader(index: Index, cls: Definition | str) -> bool:
    """Whether a class is a DataLoader."""
    return any(name in _LOADERS for name in bases(index, cls))


def is_function(index: Index, cls: Definition | str) -> bool:
    """Whether a class is a custom function of autograd."""
    return not _FUNCTIONS.isdisjoint(bases(index, cls))


def is_optimizer(index: Index, cls: Definition | str) -> bool:
    """Whether a class is an optimizer."""
    return any(generated.is_optimizer(name) for name in bases(index, cls))


def scheduler(index: Index, cls: Definition | str) -> str | None:
    """The scheduler of torch that a class is or derives from; None if what it is, is in doubt."""
    found = bases(index, cls)
    return None if "?" in found else min(filter(generated.is_scheduler, found), default=None)


def has_method(index: Index, cls: Definition | str, name: str) -> bool:
    """Whether torch gives objects of a class a method of this name."""
    if isinstance(cls, str) and not generated.is_module(cls):
        return True
    if name == "step" and scheduler(index, cls) is not None:
        return True
    return name in MODULE_METHODS and is_module(index, cls)
