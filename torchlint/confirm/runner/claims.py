"""Claims that can be put to the test without a module of their own.

A rule's experiment is an object of one of these classes, kept in a module of ``families/`` and
named in the table of ``experiments.py``::

    inplace_on_leaf = Raises("leaf Variable that requires grad is being used in an in-place")
    target_size = Warns("Using a target size", UserWarning)
    constant = Sees("torch.tensor", lambda call: "..." if call.result.grad_fn is None else False)
    frozen = Watches("step", lambda training: ..., times=3, matters=NOTHING)

`Raises`: the exception (kind and message) comes at the flagged expression itself, ``at=UNDER`` in
what it calls, ``at=BACKWARD`` in a backward of what was computed from it; with ``on_device=True``
there is an accelerator, and a simulated one refuses nothing but, with ``mixing=False``, to mix
devices. `Warns`: the same for a warning. `After`: an exception there, or what is true of the frame
right after the flagged statement (see `Aftermath`). `Sees`: what is true of every call of a
function there (see `Sighting`); ``vary=True`` changes weights and inputs between the calls, with
``on_device=True`` there is an accelerator, calls that are ``failing`` so count too, without a
result, and with ``led=True`` those of the statement before, if the flagged one gives to the same
name what it makes of that. `Watches`: what is true of models and optimizers at moments of the
program (see `Training`). A predicate gives the sentence of evidence, False for what speaks against
the claim, or None where it says nothing; evidence for and against leaves it open.

By default only runs of the user's own program count. ``matters=MODEL`` lets made-up batches and
options do, where the question is about the model; ``matters=NOTHING`` stand-ins for all arguments,
where it is about the code that uses them, and ``matters=UNTYPED`` tensors for what the code itself
says is one, where the type alone decides. Be stingy: what depends on a shape, a type or a value
must come from the user. ``varied=True`` lets inputs be made up for an exception about sizes, if it
names those of the finding for inputs of several shapes. ``deciding``, ``outside``, ``simulates``
and ``anywhere`` are those of `Question`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .aftermath import Aftermath, innermost, leading
from .misfits import Misfit, predicted_sizes
from .present import at_hand
from .refusals import BACKWARD, LINE, UNDER, Refused, Warned
from .roles import ALL, MODEL, UNTYPED_DATA
from .sightings import Asked, Sighting, Sightings
from .training import Training
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable

    from .loading import Program
    from .places import Project
    from .protocol import Job, Observation
    from .recorder import Observer
    from .tally import Answer

__all__ = [
    "ALL",
    "BACKWARD",
    "LINE",
    "MODEL",
    "NOTHING",
    "UNDER",
    "UNTYPED",
    "After",
    "Aftermath",
    "Raises",
    "Sees",
    "Sighting",
    "Training",
    "Warns",
    "Watches",
]

NOTHING: frozenset[str] = frozenset()
UNTYPED = frozenset({UNTYPED_DATA})
_VARIED = 3


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What all claims share: what may be stood in for, and what else may settle the question."""

    matters: frozenset[str] = ALL
    deciding: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    simulates: bool = True
    numbers: bool | None = None
    anywhere: bool = False
    varied: bool = False

    def __call__(self, job: Job) -> Observation:
        """Put it to the test."""
        return investigate(
            job,
            Question(
                watch=lambda project, program: self.observer(job, project, program),
                matters=self.matters,
                deciding=self.deciding,
                outside=self.outside,
                repeats=self.repeats,
                simulates=self.simulates,
                numbers=self.numbers,
                anywhere=self.anywhere,
                varied=self.varied and predicted_sizes(job.target) is not None,
            ),
        )

    @property
    def repeats(self) -> int:
        """How often the program may be run for one observer."""
        return 1

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """What watches a run."""
        raise NotImplementedError


@dataclass(frozen=True)
class Raises(Claim):
    """An exception of these kinds, whose text holds the pattern."""

    message: str
    kinds: tuple[type[BaseException], ...] = (RuntimeError,)
    at: str = LINE
    on_device: bool = False
    mixing: bool = True

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Listens to failures."""
        assert self.at in (LINE, UNDER, BACKWARD)
        if self.varied:
            return Misfit(project, job.target, self.predicts)
        seen = Refused(project, job.target, self.predicts, self.at)
        if self.on_device:
            seen.device = at_hand(project, job.target)
            if not self.mixing:
                seen.device.watch(whole=True)
        return seen

    def predicts(self, error: BaseException) -> bool:
        """Whether an exception is the predicted one."""
        return isinstance(error, self.kinds) and bool(re.search(self.message, str(error)))


@dataclass(frozen=True)
class After(Raises):
    """An exception at the flagged statement, or else what is true in its frame once it ran."""

    judge: Callable[[Aftermath], Answer] = lambda seen: None

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at the statement."""
        return Aftermath(project, job.target, self.predicts, self.judge, program)


@dataclass(frozen=True)
class Warns(Claim):
    """A warning of the category, whose text holds the pattern."""

    message: str
    category: type[Warning] = UserWarning

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Listens to warnings."""
        return Warned(project, job.target, self.message, self.category)


@dataclass(frozen=True)
class Sees(Claim):
    """Something about each call of these functions (dotted names, several with spaces)."""

    names: str
    judge: Callable[[Sighting], Answer]
    times: int = 1
    vary: bool = False
    on_device: bool = False
    failing: tuple[type[Exception], ...] = ()
    led: bool = False

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at the calls."""
        names = tuple(self.names.split())
        asked = Asked(
            names, self.judge, self._times, self.vary, self.on_device, failing=self.failing
        )
        tree = program.tree(job.target.file)
        statement = innermost(tree, job.target.line)
        lead = leading(tree, statement) if self.led else None
        return Sightings(project, job.target, asked, statement, lead)

    @property
    def repeats(self) -> int:
        """A script that calls it once is run again with other weights."""
        return self._times if self.vary else 1

    @property
    def _times(self) -> int:
        return max(self.times, _VARIED) if self.vary else self.times


@dataclass(frozen=True)
class Watches(Claim):
    """Something about the training at these moments (names of `Training`, several with commas)."""

    moments: str
    judge: Callable[[Training], Answer]
    times: int = 3

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at the moments."""
        moments = tuple(moment.strip() for moment in self.moments.split(","))
        return Training(moments, self.judge, self.times)
