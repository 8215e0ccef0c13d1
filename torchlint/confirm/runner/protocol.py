"""What goes into an experiment's process and what comes out of it, as JSON."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN = "shown"
ABSENT = "absent"
OPEN = "open"
_MOST_VALUES = 64


@dataclass(frozen=True)
class Target:
    """A stretch of the user's file: 1-based lines and columns, the end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str = ""


@dataclass(frozen=True)
class Job:
    """One run of flagged code: which claim to look for, where, and on what.

    ``root`` is the folder from which the user's absolute imports resolve. ``texts`` replaces the
    text of files by path, which is how the repaired twin of a program is run without writing into
    the user's tree. ``seconds`` is the time that the experiment itself may take. ``command`` is the
    program to be run, if there is one, and what it is told; it is started in ``folder``, with these
    ``variables``, and as a ``module`` if that is not empty. ``outlines`` is a folder that has the
    outlines of files of the project, if it is not empty. ``device`` is ``cpu``, where questions
    about devices are put to a simulated accelerator, ``cuda``, or ``auto``, which is ``cuda`` where
    that can be had.
    """

    code: str
    target: Target
    scope: str
    root: str
    because: tuple[Target, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)
    device: str = "cpu"
    seed: int = 0
    seconds: float = 20.0
    command: tuple[str, ...] = ()
    folder: str = ""
    module: str = ""
    outlines: str = ""
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def accelerated(self) -> bool:
        """Whether it may use an accelerator."""
        return self.device != "cpu"

    @property
    def search_path(self) -> list[str]:
        """The folders that the user's variables name, for modules to be found in."""
        named = self.variables.get("PYTHONPATH", "").split(os.pathsep)
        return [os.path.join(self.folder, folder) for folder in named if self.folder and folder]

    def dump(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, line: str) -> Job:
        """The job of a line that :meth:`dump` wrote."""
        data = json.loads(line)
        data["target"] = Target(**data["target"])
        data["command"] = tuple(data["command"])
        data["because"] = tuple(Target(**item) for item in data["because"])
        return cls(**data)


@dataclass(frozen=True)
class Series:
    """Numbers of one kind that were measured one after the other: of what, and a number a what."""

    of: str
    per: str
    values: tuple[float, ...]


def measured(of: str, per: str, values: Iterable[float]) -> tuple[Series, ...]:
    """A series, where there is one to be seen: finite numbers, and more than one."""
    known = tuple(float(value) for value in values)[:_MOST_VALUES]
    if len(known) < 2 or not all(map(math.isfinite, known)):
        return ()
    return (Series(of, per, known),)


@dataclass(frozen=True)
class Observation:
    """What an experiment saw.

    ``outcome`` is ``shown`` (the predicted event happened at the flagged place), ``absent`` (the
    place ran under conditions in which the event must show, and it did not) or ``open`` (anything
    else). ``evidence`` tells what was seen, ``reason`` why the outcome is open; both are written
    for the reader of the report, in a sentence without a final period. ``measured`` are numbers
    that the evidence rests on, for those who draw them, ``device`` is where it ran, empty where it
    was ended from outside.
    """

    outcome: str
    evidence: str = ""
    reason: str = ""
    seconds: float = 0.0
    enforced: tuple[str, ...] = ()
    measured: tuple[Series, ...] = ()
    device: str = ""

    def dump(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, line: str) -> Observation:
        """The observation of a line that :meth:`dump` wrote."""
        return cls.of(json.loads(line))

    @classmethod
    def of(cls, data: dict[str, Any]) -> Observation:
        """The observation of what JSON has made of one."""
        series = (Series(**{**each, "values": tuple(each["values"])}) for each in data["measured"])
        enforced = tuple(data["enforced"])
        return cls(**{**data, "enforced": enforced, "measured": tuple(series)})
