"""The ways to make flagged code run: its script, what calls it, the function alone.

The nearer a run is to the user's own, the more it says, so scripts come first and a function with
stand-ins for its arguments last. The first way that shows something, or in which it would have
shown, answers; a run that depended on anything made up for missing parts does not.
"""

from __future__ import annotations

import ast
import os
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from . import taint
from .accelerator import Accelerator
from .batches import PLANS, Plan, scaled
from .building import CannotBuildError, recipe
from .callers import CallGraph, Unit, bound_by_imports, project_files
from .experiments import describe
from .inputs import Subject, subject_of_function, subject_of_module
from .limits import Overtime, time_limit
from .loading import Program, module_name
from .places import Project
from .protocol import OPEN, Job, Observation
from .recorder import Observer, Recorder, Stop
from .roles import Usage, usages
from .scripts import quiet, run_script
from .statements import dotted
from .surrogates import Surrogates
from .trials import find_inputs, values

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCRIPTS = 3
_SCRIPT_SHARE = 0.6
_ENTRY_SECONDS = 5.0
_INPUTS = 4
_NO_DEVICE = re.compile(r"CUDA|NVIDIA")
# The worth of a run that showed something, but depended on what is not the user's program.
_AGAINST = 4
_OF_OTHERS = ("sched", "prof", "env", "ema", "bar", "scaler")

Act = Callable[[Program, Recorder], None]


@dataclass(frozen=True)
class Question:
    """What is asked of the runs.

    ``watch`` makes the observer. ``model_matters`` says that a stand-in for the model or the loss
    answers nothing. ``deciding`` are methods that settle the question where they are called: one
    that was passed by leaves it open, and so does a caller that names one of ``outside`` and was
    not run. ``repeats`` is how often a program may be run for the same observer.
    """

    watch: Callable[[Project, Program], Observer]
    model_matters: bool = False
    deciding: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    repeats: int = 1


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
        self._until = time.monotonic() + job.seconds
        self._file = os.path.abspath(job.target.file)
        self._graph = CallGraph()
        self._answer = Answer()

    def answer(self) -> Observation:
        """The first final answer, else the best reason why there is none."""
        for way in self._ways():
            if self._answer.is_final or self._left() < 0.5:
                break
            way()
        return self._answer.observation

    def _left(self) -> float:
        return self._until - time.monotonic()

    def _ways(self) -> Iterator[Callable[[], None]]:
        program = Program(self._job)
        self._graph.add(self._file, program.tree())
        if self._graph.runs(self._file, self._unit()):
            yield lambda: self._as_script(self._file)
        self._add_others(program)
        unit = self._unit()
        others = dict.fromkeys(one.file for one in self._graph.units if one.file != self._file)
        for file in [file for file in others if self._graph.runs(file, unit)][:_SCRIPTS]:
            yield lambda file=file: self._as_script(file)  # type: ignore[misc]
        for entry in self._graph.outward(unit):
            if entry.scope:
                yield lambda entry=entry: self._as_call(entry)  # type: ignore[misc]

    def _unit(self) -> Unit:
        return self._graph.unit_at(self._file, self._job.target.line)

    def _add_others(self, program: Program) -> None:
        for file in project_files(self._file, os.path.abspath(self._job.root)):
            try:
                self._graph.add(file, program.tree(file))
            except (SyntaxError, ValueError, OSError, RecursionError):
                continue

    def _as_script(self, file: str) -> None:
        seconds = self._left() * _SCRIPT_SHARE

        def act(program: Program, recorder: Recorder) -> None:
            run_script(program, file)

        self._run(act, seconds, f"run as a script, {os.path.basename(file)}")

    def _as_call(self, entry: Unit) -> None:
        """The function with made-up tensors, or with stand-ins for a loop's arguments."""
        how = f"called alone, {entry.scope}"
        if self._question.model_matters:
            self._run(Alone(entry), min(_ENTRY_SECONDS, self._left()), how, entry)
        for plan in PLANS:
            if self._answer.rank >= _AGAINST or self._left() < 0.5:
                return
            call = Call(entry, plan, self._question.model_matters)
            self._run(call, min(_ENTRY_SECONDS, self._left()), how, entry)

    def _run(
        self,
        act: Act,
        seconds: float,
        how: str,
        entry: Unit | None = None,
    ) -> None:
        """Run something, where it asks for an accelerator on a simulated one, and read it."""
        run, observer = self._observed(act, seconds)
        if _NO_DEVICE.search(run.failed) and self._left() > 0.5:
            run, observer = self._observed(_on_accelerator(act), min(seconds, self._left()))
        self._answer.take(*self._read(run, observer, how, entry))

    def _observed(self, act: Act, seconds: float) -> tuple[Run, Observer]:
        """Run something, once or until its observer is content."""
        program = Program(self._job)
        observer = self._question.watch(_project(program), program)
        for _ in range(self._question.repeats):
            run = Run(self._job, program, observer)
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
                return 1 + run.reached, Observation(OPEN, reason=f"{how}: {why}")
            return 2 + run.reached, Observation(OPEN, reason=f"{how}: {seen.reason}")
        against = run.tainted or self._passed_by(run) or self._not_run(run, entry)
        if against:
            return _AGAINST, Observation(OPEN, reason=f"{how}: {against}")
        return _AGAINST + 1, seen

    def _passed_by(self, run: Run) -> str:
        """A deciding call that stands in code that ran, and did not run itself."""
        for unit in self._graph.units:
            calls = [call for call in _own_nodes(unit) if self._decides(call)]
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

    def _not_run(self, run: Run, entry: Unit | None) -> str:
        """A caller of the entry that might settle the question and was left out."""
        if entry is None:
            return ""
        for caller in self._graph.callers(entry, anywhere=True):
            if caller.mentions & self._question.outside and not run.entered(caller):
                name = caller.scope or os.path.basename(caller.file)
                return f"its caller `{name}` may decide, and could not be run"
        return ""


class Run:
    """One execution under the eyes of an observer."""

    def __init__(self, job: Job, program: Program, observer: Observer) -> None:
        self._job = job
        self._program = program
        self._recorder = Recorder(_project(program), job.target, observer)
        self.ended = False
        self.failed = ""
        self.tainted = ""

    @property
    def reached(self) -> bool:
        """Whether the flagged line ran."""
        return self.has_run(self._program.file, self._job.target.line)

    def has_run(self, file: str, line: int) -> bool:
        """Whether a line of a file ran."""
        return self._recorder.lines.has_run(file, line)

    def entered(self, unit: Unit) -> bool:
        """Whether any line of the code ran."""
        return any(
            self.has_run(unit.file, node.lineno)
            for node in _own_nodes(unit)
            if isinstance(node, ast.stmt)
        )

    def go(self, act: Act, seconds: float) -> None:
        """Execute, and note how it came to its end."""
        taint.forget()
        random.seed(self._job.seed)
        torch.manual_seed(self._job.seed)
        self._program.open()
        try:
            with time_limit(max(seconds, 0.5)), quiet(), self._recorder:
                act(self._program, self._recorder)
            self.ended = True
        except Stop:
            pass
        except SystemExit as error:
            self.ended = not error.code
            self.failed = f"it exits with {error.code!r}" if error.code else ""
        except (Exception, Overtime) as error:
            self.failed = describe(error) + self._line_of(error)
        finally:
            self._program.close()
            torch.set_grad_enabled(True)
        self.tainted = "; ".join(taint.reasons()[:2])

    def _line_of(self, error: BaseException) -> str:
        """The user's line at which it failed."""
        found = ""
        trace = error.__traceback__
        while trace is not None:
            file = trace.tb_frame.f_code.co_filename
            if self._recorder.project.owns(file):
                found = f" ({os.path.basename(file)}, line {trace.tb_lineno})"
            trace = trace.tb_next
        return found


@dataclass(frozen=True)
class Call:
    """Calls a function, or a method of an instance, with stand-ins for what it is given."""

    unit: Unit
    plan: Plan
    model_matters: bool

    def __call__(self, program: Program, recorder: Recorder) -> None:
        """Load what the function needs, make its arguments, call it."""
        surrogates = Surrogates(self.plan, recorder.observer.drew_batch, self.model_matters)
        top = self.unit.scope.partition(".")[0]
        program.provide(top)
        self._fill_poisoned(program, surrogates)
        function = self._function(program, surrogates)
        recorder.observer.returned(function(**surrogates.arguments(function, self.unit.node)))

    def _function(self, program: Program, surrogates: Surrogates) -> Callable[..., Any]:
        if not self.unit.class_name:
            found: Callable[..., Any] = program.scope_object(self.unit.scope)
            return found
        cls = program.scope_object(self.unit.class_name)
        node = _class_node(program.tree(self.unit.file), self.unit.class_name)
        instance = cls(**surrogates.arguments(cls, _initialiser(node), [node]))
        bound: Callable[..., Any] = getattr(instance, self.unit.name)
        return bound

    def _fill_poisoned(self, program: Program, surrogates: Surrogates) -> None:
        """Globals that could not be computed are stood in for like arguments; imports are not."""
        names = program.names
        unset = (taint.Poison, taint.StandIn)
        imported = set(bound_by_imports(program.tree()))
        lost: dict[str, Usage] = {
            name: usage
            for name, usage in usages([self.unit.node]).items()
            if isinstance(names.get(name), unset) and name not in imported
        }
        names.update(surrogates.values(lost, [self.unit.node]))


@dataclass(frozen=True)
class Alone:
    """Calls a function of tensors, or a method of a module that is built for it."""

    unit: Unit

    def __call__(self, program: Program, recorder: Recorder) -> None:
        """Call it on several inputs, scaled differently."""
        program.provide(self.unit.scope.partition(".")[0])
        subject = self._subject(program)
        specs = find_inputs(subject, _ENTRY_SECONDS / 2, program.job.seed)
        for number in range(_INPUTS):
            made = values(specs, program.job.seed + number)
            subject.run({name: scaled(value, 10.0**number) for name, value in made.items()})

    def _subject(self, program: Program) -> Subject:
        if not self.unit.class_name:
            return subject_of_function(program.scope_object(self.unit.scope), program)
        cls = program.scope_object(self.unit.class_name)
        if not (isinstance(cls, type) and issubclass(cls, torch.nn.Module)):
            raise CannotBuildError(f"{self.unit.class_name} is not a module")
        found = recipe(cls, program)
        for name in found.guessed:
            taint.note(f"`{name}` of {self.unit.class_name} was guessed")
        return subject_of_module(found.make(program.job.seed), program, self.unit.name)


def _on_accelerator(act: Act) -> Act:
    """The same, with a device that is there for whoever asks and refuses nothing."""

    def on_accelerator(program: Program, recorder: Recorder) -> None:
        with Accelerator(recorder.project, recorder.target):
            act(program, recorder)

    return on_accelerator


def _project(program: Program) -> Project:
    home = module_name(program.file, program.job.root)[1]
    return Project(home, os.path.abspath(program.job.root), os.path.dirname(program.file))


def _class_node(tree: ast.Module, name: str) -> ast.ClassDef:
    last = name.rpartition(".")[2]
    return next(
        node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == last
    )


def _initialiser(node: ast.ClassDef) -> ast.AST:
    own = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    return next((part for part in own if part.name == "__init__"), node)


def _own_nodes(unit: Unit) -> Iterator[Any]:
    """What belongs to a function, or to a file outside of its definitions, and can be reached."""
    waiting = list(_reachable(unit.node))
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    while waiting:
        node = waiting.pop()
        if not unit.scope and isinstance(node, definitions):
            continue
        yield node
        waiting.extend(_reachable(node))


def _reachable(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a node, without statements that stand behind a jump."""
    for _, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
            if isinstance(child, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
                break


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""
