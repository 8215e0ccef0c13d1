"""Write ``benchmarks/peers.md``: what other checkers of PyTorch code flag, and which rule does.

``benchmarks/peers.tsv`` holds a line for each rule of theirs: the codes of ours that cover it, with
how they do it otherwise, or ``-`` and why it is left out. ``?`` marks one that is not written yet.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from torchlint.registry import rules

DATA = Path(__file__).parents[1] / "benchmarks" / "peers.tsv"
TABLE = DATA.with_suffix(".md")


@dataclass(frozen=True, slots=True)
class PeerRule:
    """A rule of another checker. ``by`` are our codes; without any, ``note`` says why not."""

    peer: str
    name: str
    flags: str
    by: tuple[str, ...]
    note: str


def peer_rules() -> list[PeerRule]:
    """The lines of the data file."""
    with DATA.open(encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        PeerRule(
            line["peer"],
            line["rule"],
            line["flags"],
            () if line["by"] == "-" else tuple(line["by"].split(",")),
            line["note"] or "",
        )
        for line in lines
    ]


def table(peers: list[PeerRule]) -> str:
    """The page, by peer in the order of the data file."""
    left = sum(not rule.by for rule in peers)
    parts = [
        "# What other checkers flag\n\n"
        f"Of {len(peers)} rules of other checkers of PyTorch code, {len(peers) - left} are covered "
        f"and {left} left out, each with the reason. `tools/list_peers.py` writes this page from "
        "`peers.tsv`.\n"
    ]
    header = "| rule | flags | here | how, or why not |\n| --- | --- | --- | --- |"
    for peer, group in groupby(peers, key=lambda rule: rule.peer):
        rows = "\n".join(
            f"| {rule.name} | {rule.flags} | {_here(rule)} | {rule.note} |" for rule in group
        )
        parts.append(f"## {peer}\n\n{header}\n{rows}\n")
    return "\n".join(parts)


def _here(rule: PeerRule) -> str:
    return ", ".join(map(_link, rule.by)) or "left out"


def _link(code: str) -> str:
    if code.endswith("?"):
        return f"{code.rstrip('?')} (planned)"
    return f"[{code}](../rules/{rules()[code].page})"


if __name__ == "__main__":
    TABLE.write_text(table(peer_rules()), "utf-8")
