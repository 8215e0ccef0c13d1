"""Experiments on training loops, by the rules whose claims they test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .graphs import KeptGraphs
from .steps import StaleGradients, StillParameters
from .ways import Question, investigate

if TYPE_CHECKING:
    from .protocol import Job, Observation

_GRAD_MODES = frozenset({"no_grad", "inference_mode", "set_grad_enabled"})


def missing_zero_grad(job: Job) -> Observation:
    """TL201: a step uses the gradient that the step before has used already."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: StaleGradients(),
            deciding=frozenset({"zero_grad"}),
            outside=frozenset({"zero_grad", "grad"}),
        ),
    )


def missing_step(job: Job) -> Observation:
    """TL202: gradients come, and nothing changes the parameters."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: StillParameters(),
            deciding=frozenset({"step"}),
            outside=frozenset({"step"}),
        ),
    )


def graph_kept(job: Job) -> Observation:
    """TL801, TL802: what is kept holds on to more of the graph with every round."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: KeptGraphs(program.tree(), job.target),
            deciding=frozenset({"backward"}),
            outside=_GRAD_MODES | {"backward"},
        ),
    )
