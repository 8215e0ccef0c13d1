"""The ways to make flagged code run: its script, what calls it, the function alone.

The nearer a run is to the user's own, the more it says, so scripts come first and a function with
stand-ins for its arguments last. The first way that shows something, or in which it would have
shown, answers; a run that depended on anything made up for missing parts does not.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from torch.cuda import is_available

from . import absent
from .batches import PLANS, Followed, Plan
from .callers import CallGraph, Unit, own_nodes, related
from .calls import SECONDS, Act, Alone, Call, on_accelerator, options
from .limits import Budget
from .loading import Program
from .misfits import Varied
from .protocol import ABSENT, OPEN, Job, Observation
from .roles import MODEL
from .runs import Run, project_of
from .scripts import run_script, variables
from .statements import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .places import Project
    from .protocol import Target
    from .recorder import Observer, Recorder

_SCRIPTS = 3
_OPTIONS = 4
_SCRIPT_SHARE = 0.6
_COMMAND_SHARE = 0.9
_NO_DEVICE = re.compile(r"CUDA|NVIDIA")
# The worth of a run that showed something, but depended on what is not the user's program.
_AGAINST = 4
_OF_OTHERS = ("sched", "prof", "env", "ema", "bar", "scaler")


@dataclass(frozen=True)
class Question:
    """What is asked of the runs.

    ``watch`` makes the observer. ``matters`` are the parts for which no stand-in will do, such as
    the model where the question is about what it computes. ``deciding`` are methods that settle
    the question where they are called: one that was passed by leaves it open, and so does a caller
    that names one of ``outside`` and was not run. ``repeats`` is how often a program may be run for
    the same observer, ``simulates`` whether an accelerator may be simulated where it fails for want
    of one, and ``numbers`` whether those in the program's data matter. ``anywhere`` says that the
    code does the same whatever runs it, so that it is called alone before other files are run, and
    ``varied`` that inputs may be made up if the same comes of several shapes.
    """

    watch: Callable[[Project, Program], Observer]
    matters: frozenset[str] = frozenset()
    deciding: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    repeats: int = 1
    simulates: bool = True
    anywhere: bool = False
    varied: bool = False
    numbers: bool | None = None

    @property
    def asks_for_numbers(self) -> bool:
        """Whether those in the data matter: unless it says so, not where it varies them itself."""
        varies = not self.matters or self.repeats > 1
        return not varies if self.numbers is None else self.numbers


@dataclass
class Answer:
    """The best that the ways so far have said; a reason of a run that came farther is better."""

    observation: Observation = field(
        default_factory=lambda: Observation(OPEN, reason="nothing in the project runs it")
    )
    rank: int = 0

    @property
    def is_final(self) -> bool:
        """Whether the question is answered."""
        return self.observation.outcome != OPEN

    def take(self, rank: int, observation: Observation) -> None:
        """Keep an observation that says more."""
        if observation.outcome != OPEN or rank > self.rank:
            self.observation, self.rank = observation, rank


def investigate(job: Job, question: Question) -> Observation:
    """Try the ways in turn until one answers."""
    return Investigation(job, question).answer()


class Investigation:
    """One question about one target, and the code that can make it run."""

    def __init__(self, job: Job, question: Question) -> None:
        self._job = job
        self._question = question
        self._budget = Budget(job.seconds)
        self._file = os.path.abspath(job.target.file)
        self._program = Program(job)
        self._graph = CallGraph(self._program.texts)
        self._answer = Answer()
        self._unbuilt: set[str] = set()

    def answer(self) -> Observation:
        """The first final answer, else the best reason why there is none."""
        for way in self._ways():
            way()
            if self._answer.is_final or self._left() < 0.5:
                break
        return self._answer.observation

    def _left(self) -> float:
        return self._budget.left

    def _ways(self) -> Iterator[Callable[[], None]]:
        program = self._program
        self._graph.add([self._file])
        if self._job.command:
            yield lambda: self._as_commanded(program)
        if self._graph.runs(self._file, self._unit()):
            yield lambda: self._as_script(self._file)
        called = self._unit().scope if self._question.anywhere else ""
        if called:
            yield lambda: self._as_call(self._unit())
        others = related(self._file, os.path.abspath(self._job.root), program.texts)
        self._graph.add(other for other in others if other not in self._graph)
        unit = self._unit()
        known = dict.fromkeys(one.file for one in self._graph.units if one.file != self._file)
        for file in islice((file for file in known if self._graph.runs(file, unit)), _SCRIPTS):
            yield lambda file=file: self._as_script(file)  # type: ignore[misc]
        for entry in self._graph.outward(unit):
            if entry.scope not in ("", called):
                yield lambda entry=entry: self._as_call(entry)  # type: ignore[misc]

    def _unit(self) -> Unit:
        return self._graph.unit_at(self._file, self._job.target.line)

    def _as_commanded(self, program: Program) -> None:
        """The program that the user has named, told what the user tells it."""
        file, *arguments = self._job.command
        if file not in self._graph:
            self._graph.add([file])

        module = self._job.module

        def act(program: Program, recorder: Recorder) -> None:
            with variables(self._job.variables):
                run_script(program, file, arguments, module)

        name = ["-m", module] if module else [os.path.basename(file)]
        said = shlex.join([*name, *arguments])
        self._run(act, self._left() * _COMMAND_SHARE, f"run as `{said}`")

    def _as_script(self, file: str) -> None:
        seconds = self._left() * _SCRIPT_SHARE

        def act(program: Program, recorder: Recorder) -> None:
            run_script(program, file)

        self._run(act, seconds, f"run as a script, {os.path.basename(file)}")

    def _as_call(self, entry: Unit) -> None:
        """The function with made-up tensors, or with stand-ins for a loop's arguments."""
        for call in self._calls(entry):
            if self._answer.rank >= _AGAINST or self._left() < 0.5:
                return
            how = f"called alone, {entry.scope}"
            self._run(call, min(SECONDS, self._left()), how, entry)

    def _calls(self, entry: Unit) -> Iterator[Act]:
        """Ways to call it, but for those that would come to what another has come to."""
        matters, anywhere = self._question.matters, self._question.anywhere
        alone = partial(Alone, entry, matters, self._unbuilt, anywhere)
        ways: list[Plan | Alone] = [*PLANS]
        if matters or anywhere:
            ways.insert(0 if matters else 1, alone())
        if anywhere:
            ways[2:2] = map(alone, self._options(entry))
        if self._question.varied:
            ways.insert(0, Varied(entry, MODEL, self._unbuilt))
        followed: list[Followed] = []
        for way in ways:
            if isinstance(way, Alone):
                if entry.class_name not in self._unbuilt:
                    yield way
            elif all(other.differs_from(way) for other in followed):
                followed.append(Followed(way))
                yield Call(entry, followed[-1], matters)

    def _options(self, entry: Unit) -> list[str]:
        """Options of the method's class that are off, and that the flagged code may wait for."""
        scope = f"{entry.class_name}.__init__"
        built = [
            unit for unit in self._graph.units if (unit.file, unit.scope) == (entry.file, scope)
        ]
        found = [options(unit.node) for unit in built if isinstance(unit.node, ast.FunctionDef)]
        return [name for names in found for name in names][:_OPTIONS]

    def _run(
        self,
        act: Act,
        seconds: float,
        how: str,
        entry: Unit | None = None,
    ) -> None:
        """Run something, where it asks for an accelerator on a simulated one, and read it."""
        run, observer = self._observed(act, seconds)
        lacking = self._question.simulates and not is_available() and _NO_DEVICE.search(run.failed)
        if lacking and self._left() > 0.5:
            run, observer = self._observed(on_accelerator(act), min(seconds, self._left()))
        self._answer.take(*self._read(run, observer, how, entry))

    def _observed(self, act: Act, seconds: float) -> tuple[Run, Observer]:
        """Run something, once or until its observer is content."""
        program = Program(self._job, self._program.texts)
        observer = self._question.watch(project_of(program), program)
        for _ in range(self._question.repeats):
            run = Run(self._job, program, observer, self._question.asks_for_numbers)
            run.go(act, seconds)
            if run.failed or observer.has_seen_enough() or self._left() < 0.5:
                break
        return run, observer

    def _read(
        self, run: Run, observer: Observer, how: str, entry: Unit | None
    ) -> tuple[int, Observation]:
        """What the run says and how much that is worth, after what may speak against it."""
        seen = observer.conclude(run.ended)
        if seen.outcome == OPEN:
            if run.failed:
                why = run.tainted or run.failed
                return 2 + run.reached, Observation(OPEN, reason=f"{how}: {why}")
            return 1 + 2 * run.reached, Observation(OPEN, reason=f"{how}: {seen.reason}")
        against = run.tainted or self._passed_by(run) or self._not_run(run, entry)
        against = against or (self._ungrounded(run) if entry is not None else "")
        against = against or (run.guessed if seen.outcome == ABSENT else "")
        if against:
            return _AGAINST, Observation(OPEN, reason=f"{how}: {against}")
        return _AGAINST + 1, replace(seen, evidence=seen.evidence + absent.told())

    def _passed_by(self, run: Run) -> str:
        """A deciding call that stands in code that ran, and did not run itself."""
        for unit in self._graph.units:
            if not self._question.deciding & unit.mentions:
                continue
            calls = [call for call in own_nodes(unit) if self._decides(call)]
            if calls and run.entered(unit):
                for call in calls:
                    if not run.has_run(unit.file, call.lineno):
                        return f"`{_method(call)}` at line {call.lineno} was not reached"
        return ""

    def _decides(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Call) or _method(node) not in self._question.deciding:
            return False
        owner = dotted(node.func).rpartition(".")[0].lower()
        return not any(word in owner for word in _OF_OTHERS)

    def _ungrounded(self, run: Run) -> str:
        """A place that the finding rests on, and that a call by itself has not reached."""
        if self._question.anywhere:
            return ""
        return run.missed(place for place in self._job.because if not self._comes_after(place))

    def _comes_after(self, place: Target) -> bool:
        """Whether it is below the flagged place in its function: a run may end before it."""
        if os.path.abspath(place.file) != self._file or place.line <= self._job.target.line:
            return False
        return self._graph.unit_at(self._file, place.line) is self._unit()

    def _not_run(self, run: Run, entry: Unit | None) -> str:
        """A caller of the entry that might settle the question and was left out."""
        if entry is None:
            return ""
        for caller in self._graph.callers(entry, anywhere=True):
            if caller.mentions & self._question.outside and not run.entered(caller):
                name = caller.scope or os.path.basename(caller.file)
                return f"its caller `{name}` may decide, and could not be run"
        return ""


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""
