"""Evaluations: in which mode (TL208), and with a graph that no backward comes for (TL210)."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .graphs import graph_nodes
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .roles import ALL, MODEL
from .sightings import Asked, Sighting, Sightings
from .tally import Tally
from .trials import tensors
from .ways import Question, investigate

if TYPE_CHECKING:
    from .places import Project
    from .protocol import Job
    from .tally import Answer

_CALLS = 2
_MODULES = ("torch.nn.Module",)
_BY_MODE: tuple[type[nn.Module], ...] = (
    nn.modules.batchnorm._NormBase,
    nn.modules.dropout._DropoutNd,
    nn.RNNBase,
    nn.MultiheadAttention,
    nn.RReLU,
)


class Evaluated(Sightings):
    """Looks at what a model gives at the flagged call; what a backward comes for is no evaluation.

    ``made`` are the graph nodes of its outputs, ``plain`` counts those that have none.
    """

    def __init__(self, project: Project, job: Job, times: int) -> None:
        super().__init__(project, job.target, Asked(_MODULES, self.look, times))
        self.made: list[Any] = []
        self.plain = 0
        self._walked = False

    def look(self, call: Sighting) -> Answer:
        """Note the graphs of the outputs."""
        nodes = [tensor.grad_fn for tensor in tensors(call.result)]
        found = [node for node in nodes if node is not None]
        self.made += found
        self.plain += not found
        return None

    def before_backward(self, roots: tuple[torch.Tensor, ...], at_target: bool) -> None:
        """A backward that comes through an output has a use for its graph."""
        reached = graph_nodes(root.grad_fn for root in roots)
        self._walked |= any(node in reached for node in self.made)

    def conclude(self, ended: bool) -> Observation:
        """What was seen, unless the pass was part of a training."""
        if self._walked:
            return Observation(ABSENT, evidence="a backward comes for what the model gives")
        if self.made and not ended:
            return Observation(OPEN, reason="a backward may come for what the model gives")
        return self.judged()

    def judged(self) -> Observation:
        """What was seen of an evaluation."""
        return super().conclude(ended=True)


class InTraining(Evaluated):
    """Asks whether the mode of the model tells in its results.

    Where a backward comes for some of them, those without a graph are the evaluations.
    """

    def __init__(self, project: Project, job: Job, times: int) -> None:
        super().__init__(project, job, times)
        self._without_graph = Tally(times)

    def look(self, call: Sighting) -> Answer:
        """Whether two passes of a copy over the batch differ, or move batch norm's statistics."""
        plain = self.plain
        super().look(call)
        if not any(_has_modes(part) for part in call.receiver.modules()):
            return None
        answer = _differs(call) if call.receiver.training else False
        if self.plain > plain:
            self._without_graph.take(answer)
        return answer

    def conclude(self, ended: bool) -> Observation:
        """What was seen of the evaluations."""
        if self._walked and self._without_graph.has_answers:
            return self._without_graph.observation("evaluations there")
        return super().conclude(ended)


def _has_modes(part: nn.Module) -> bool:
    """Whether a layer may do different things in the two modes."""
    forward = getattr(type(part).forward, "__code__", None)
    reads = forward is not None and "training" in forward.co_names
    return isinstance(part, _BY_MODE) or reads


def _differs(call: Sighting) -> Answer:
    twin = copy.deepcopy(call.receiver)
    before = {name: value.clone() for name, value in twin.named_buffers()}
    first, second = (list(tensors(twin(*call.args[1:], **call.kwargs))) for _ in range(2))
    gaps = [float((a - b).abs().max()) for a, b in zip(first, second, strict=True) if a.numel()]
    if max(gaps, default=0.0) > 0:
        return f"two passes over the same batch differ by up to {max(gaps):.3g}"
    for name, value in twin.named_buffers():
        if "running" in name and not torch.equal(value, before[name]):
            return f"the evaluation moves `{name}`"
    return False


class WithGraph(Evaluated):
    """Asks whether the outputs carry graphs.

    Once the model is called in evaluation mode, what it gives in training mode is no evaluation.
    """

    _measured = False

    def look(self, call: Sighting) -> Answer:
        """Note the graphs of the outputs."""
        if self._measured and call.receiver.training:
            return None
        if not self._measured and not call.receiver.training:
            self._measured, self._walked = True, False
            self.made, self.plain = [], 0
        return super().look(call)

    def judged(self) -> Observation:
        """Graphs at every call."""
        if self.plain and not self.made:
            return Observation(ABSENT, evidence="its output carries no graph")
        if self.plain or len(self.made) < _CALLS:
            return Observation(OPEN, reason="the flagged call was not seen often enough")
        name = type(self.made[-1]).__name__
        evidence = f"each of {len(self.made)} outputs carries a graph ({name})"
        return Observation(SHOWN, evidence=evidence)


def eval_in_train_mode(job: Job) -> Observation:
    """TL208: the mode in which a model is measured tells in its results."""
    switches = frozenset({"eval", "train"})
    return investigate(
        job,
        Question(
            watch=lambda project, program: InTraining(project, job, times=1),
            matters=MODEL,
            deciding=switches,
            outside=switches | {"backward"},
        ),
    )


def eval_with_grad(job: Job) -> Observation:
    """TL210: the outputs of an evaluation carry graphs that nobody walks back."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: WithGraph(project, job, times=_CALLS),
            matters=ALL,
            deciding=frozenset({"backward"}),
            outside=frozenset({"no_grad", "inference_mode", "set_grad_enabled", "backward"}),
        ),
    )
