"""Sizes that do not fit whatever comes in: the same refusal for inputs of several shapes."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from .calls import SECONDS, Alone
from .experiments import describe
from .limits import Overtime
from .protocol import OPEN, SHOWN, Observation
from .refusals import LINE, Refused
from .trials import NoInputsError, find_inputs, tensors, values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType, TracebackType

    from .inputs import Subject
    from .loading import Program
    from .places import Project
    from .protocol import Target
    from .recorder import Recorder
    from .specs import Spec

_PREDICTED = re.compile(r"\btakes (\d+)\b.*? gets (\d+)\b")
_SHAPES = 16


def predicted_sizes(target: Target) -> tuple[str, str] | None:
    """The sizes that a finding names: what is taken, and what is given."""
    found = _PREDICTED.search(target.message)
    return (found[1], found[2]) if found is not None and found[1] != found[2] else None


class Misfit(Refused):
    """Looks for a predicted exception; where inputs are made up, for the predicted sizes in it.

    Sizes that come of what is made up are others where that has another shape. So the exception has
    to name both sizes that the finding does, for all shapes with which the place is reached.
    """

    def __init__(
        self, project: Project, target: Target, predicted: Callable[[BaseException], bool]
    ) -> None:
        super().__init__(project, target, predicted, LINE)
        self._sizes = predicted_sizes(target)
        self._given: str | None = None
        self._failed: dict[str, BaseException] = {}
        self._against = False

    def vary(self, made: dict[str, Any]) -> None:
        """From now on what comes in is made up; nothing is while inputs are looked for."""
        shapes = [
            f"`{name}` of {list(tensor.shape)}"
            for name, value in made.items()
            for tensor in tensors(value)
        ]
        self._given = " and ".join(shapes)

    def raised(self, frame: FrameType, error: BaseException, traceback: TracebackType) -> None:
        """The flagged lines fail, with the predicted sizes or with others."""
        if self._given is None:
            super().raised(frame, error, traceback)
        elif (
            self._sizes is not None
            and self._predicted(error)
            and self._is_there(frame, error)
            and not self._is_deeper(traceback)
        ):
            wanted, given = self._sizes
            numbers = set(re.findall(r"\d+", str(error)))
            if given in numbers and wanted in numbers:
                self._failed.setdefault(self._given, error)
            elif wanted in numbers:
                self._against = True

    def passed_target(self, frame: FrameType) -> None:
        """The flagged lines ran without failing, which some input does for."""
        if self._given is None:
            super().passed_target(frame)
        else:
            self._against = True

    def has_seen_enough(self) -> bool:
        """One failure is enough where nothing is made up."""
        return self._given is None and super().has_seen_enough()

    def conclude(self, ended: bool) -> Observation:
        """The exceptions are the evidence, if all are alike, and for different shapes."""
        if self._given is None:
            return super().conclude(ended)
        failed = {given: error for given, error in self._failed.items() if given}
        if self._against:
            return Observation(OPEN, reason="what comes of it depends on what is made up for it")
        if len(failed) < len(("one shape", "another")):
            return Observation(OPEN, reason="no inputs were found that come as far")
        shapes = " as for ".join(islice(failed, 2))
        error = describe(next(iter(failed.values())))
        return Observation(SHOWN, evidence=f"line {self._target.line} raised {error}, for {shapes}")


@dataclass(frozen=True)
class Varied(Alone):
    """Calls a function, or the method of a module, with inputs of several shapes."""

    def __call__(self, program: Program, recorder: Recorder) -> None:
        """Change the sizes of the likeliest inputs, and of those that get as far as can be."""
        observer = recorder.observer
        assert isinstance(observer, Misfit)
        program.provide(self.unit.scope.partition(".")[0])
        subject = self._subject(program)
        seed = program.job.seed
        likeliest = {name: specs[0] for name, specs in subject.candidates().items()}
        _run(subject, likeliest, observer, seed)
        observer.vary({})
        try:
            specs = find_inputs(subject, SECONDS / 2, seed)
        except NoInputsError as error:
            if error.specs is None:
                raise
            specs = error.specs
        _run(subject, specs, observer, seed)


def _run(subject: Subject, specs: dict[str, Spec], observer: Misfit, seed: int) -> None:
    for variant in islice(_variants(specs), _SHAPES):
        with suppress(Exception, Overtime):
            made = values(variant, seed)
            observer.vary(made)
            subject.run(made)


def _variants(specs: dict[str, Spec]) -> Iterator[dict[str, Spec]]:
    """The inputs as they are, with an axis of all of them twice as long, and of one of them."""
    yield specs
    leaves = [leaf for name, spec in specs.items() for leaf in spec.leaves(name)]
    axes = max((len(leaf.shape) for _, leaf in leaves), default=0)
    for axis in range(axes):
        yield _longer(specs, [path for path, leaf in leaves if len(leaf.shape) > axis], axis)
    for path, leaf in leaves if len(leaves) > 1 else ():
        for axis in range(len(leaf.shape)):
            yield _longer(specs, [path], axis)


def _longer(specs: dict[str, Spec], paths: list[str], axis: int) -> dict[str, Spec]:
    found = dict(specs)
    for path in paths:
        name, _, inner = path.partition("/")
        leaf = dict(found[name].leaves(name))[path]
        found[name] = found[name].replaced(inner, leaf.resized(axis, 2 * leaf.shape[axis]))
    return found
