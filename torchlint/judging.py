"""What a run does to confirm: it hands findings over, and says why others are not run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from torchlint.findings import Status, Trouble, Verdict
from torchlint.registry import rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torchlint.findings import Finding
    from torchlint.settings import ConfirmSettings


@dataclass(slots=True)
class Judged:
    """The findings with their verdicts, what restrained the code, and what went wrong."""

    findings: list[Finding]
    enforced: tuple[str, ...] = ()
    troubles: list[Trouble] = field(default_factory=list)

    def hear_enforced(self, restrictions: tuple[str, ...]) -> None:
        """Remember what restrained the code."""
        self.enforced = restrictions


def judged(
    findings: Sequence[Finding],
    settings: ConfirmSettings,
    progress: Callable[[str, int, int], None],
    stdin: str | None,
) -> Judged:
    """Run the flagged code of every finding that a rule made; that at ``stdin`` is in no file."""
    from torchlint.confirm import SandboxError, confirm

    ours = [each for each in findings if _is_of_code(each) and each.place.path != stdin]
    others = [_left_alone(each, stdin) for each in findings if each not in ours]
    done = count(1)
    progress("Confirming", 0, len(ours))
    result = Judged(list(findings))
    try:
        ran = confirm(
            ours,
            settings,
            lambda finding: progress("Confirming", next(done), len(ours)),
            result.hear_enforced,
        )
    except SandboxError as error:
        result.troubles.append(Trouble("", f"--confirm: {error}", fatal=True))
    else:
        result.findings = [*others, *ran]
    return result


def _is_of_code(finding: Finding) -> bool:
    return rules()[finding.code].question is not None


def _left_alone(finding: Finding, stdin: str | None) -> Finding:
    if finding.place.path != stdin:
        return finding
    reason = "code from standard input lies in no file that could be run"
    return replace(finding, verdict=Verdict(Status.INCONCLUSIVE, reason=reason))
