"""Names for findings that outlive edits: lines may move, the flagged code may not change."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.sources.lines import between

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from torchlint.findings import Finding


def with_fingerprints(
    findings: Iterable[Finding], lines: Mapping[str, Sequence[str]]
) -> Iterator[Finding]:
    """The findings, in the order given, each with a fingerprint that no other has.

    ``lines`` are the lines of each file by its path; equal findings are told apart by their order.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    for finding in findings:
        identity = (finding.code, finding.place.path, finding.scope, flagged(finding, lines))
        seen[identity] += 1
        whole = "\0".join((*identity, str(seen[identity])))
        digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
        yield replace(finding, fingerprint=digest)


def flagged(finding: Finding, lines: Mapping[str, Sequence[str]]) -> str:
    """The code that is flagged, without blanks."""
    return "".join(between(lines.get(finding.place.path, ()), finding.place).split())
