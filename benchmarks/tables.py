"""Put what the tables of readings say into the README beside them.

Each stands there between ``<!-- name -->`` and ``<!-- end of name -->``.
"""

from __future__ import annotations

from pathlib import Path

import asked
import census
import proofs
import seeded
import unseen

README = Path(__file__).parent / "README.md"
TABLES = {each.__name__: each.totals for each in (census, unseen, seeded, asked, proofs)}


def filled(text: str) -> str:
    """The text with each table as it is now; raises ValueError where one has no place in it."""
    for name, totals in TABLES.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        if (text.count(begin), text.count(end)) != (1, 1):
            raise ValueError(f"no one place for the table of {name}")
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{totals().rstrip()}\n\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    README.write_text(filled(README.read_text("utf-8")), "utf-8")
