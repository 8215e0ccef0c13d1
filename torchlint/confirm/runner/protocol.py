"""What goes into an experiment's process and what comes out of it, as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

SHOWN = "shown"
ABSENT = "absent"
OPEN = "open"


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
    the user's tree. ``seconds`` is the time that the experiment itself may take.
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

    def dump(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, line: str) -> Job:
        """The job of a line that :meth:`dump` wrote."""
        data = json.loads(line)
        data["target"] = Target(**data["target"])
        data["because"] = tuple(Target(**item) for item in data["because"])
        return cls(**data)


@dataclass(frozen=True)
class Observation:
    """What an experiment saw.

    ``outcome`` is ``shown`` (the predicted event happened at the flagged place), ``absent`` (the
    place ran under conditions in which the event must show, and it did not) or ``open`` (anything
    else). ``evidence`` tells what was seen, ``reason`` why the outcome is open; both are written
    for the reader of the report, in a sentence without a final period.
    """

    outcome: str
    evidence: str = ""
    reason: str = ""
    seconds: float = 0.0
    enforced: tuple[str, ...] = ()

    def dump(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, line: str) -> Observation:
        """The observation of a line that :meth:`dump` wrote."""
        data = json.loads(line)
        data["enforced"] = tuple(data["enforced"])
        return cls(**data)
