"""Whether code writes into what may be a tensor, by ``+=`` and its kin or by an index."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITE = re.compile(
    # Possessive, as nearly all lines fail to match, and do so at the first try.
    # After a colon stands a body on the same line, or else an annotation, which is no write.
    r"(?:^|[;:])[ \t]*+[\w.]++(?:\[.*\])?[\w.]*+(?:\[.*\])?[ \t]*+(?:[-+*/|&@^%]|\*\*|//)=(?!=)"
    r"|(?:^|;)[ \t]*+[\w.]++(?:\[.*\])[ \t]*+=(?!=)"
    r"|^[ \t]*+(?:if|elif|else|for|while|with|try)\b.*:[ \t]*[\w.]+(?:\[.*\])[ \t]*=(?!=)"
)
_SIGN = re.compile(r"[-+*/|&@^%\]][ \t]*+=(?!=)")
_SIGNS = ("+=", "-=", "*=", "/=", "|=", "&=", "^=", "%=", "@=", "]=", "] =", "]  ", "]\t")
"""What stands in every text that writes into something."""

_STRING = r"[rbfu]{0,2}(?:\"[^\"\n]*\"|'[^'\n]*')"
_OF_OTHERS = re.compile(
    # Under a key that is a string, or more of a list, string or tuple.
    rf"[ \t]*+[\w.]++(?:\[[^\n]*\])?\[[ \t]*{_STRING}[ \t]*\][ \t]*=(?!=)"
    r"|[ \t]*+[\w.]++[ \t]*\+=[ \t]*(?:\[|[rbfu]{0,2}['\"]|\((?:[^(),\n]|\([^()\n]*\))*,)"
)
_NAME = r"([^\W\d]\w*+)"
_ENTRY = re.compile(rf"[ \t]*+{_NAME}\[[^][\n]*(?:\[[^][\n]*\][^][\n]*)*\][ \t]*=(?!=)")
_COUNT = re.compile(rf"[ \t]*+{_NAME}[ \t]*[-+*]=[ \t]*\d+[ \t]*(?:$|[#;\n])")
_GIVEN = re.compile(
    rf"^[ \t]*+{_NAME}[ \t]*(?::[^=\n]*)?=(?!=)[ \t]*(?:(?:"
    r"(\[\]|\{\}|\[None\][ \t]*\*[^\n]*|(?:dict|(?:collections\.)?\w+[dD]ict)\([^()\n]*\))"
    r"|(\d+|len\([^()\n]*\)))[ \t]*(?:$|[#;]))?",
    re.MULTILINE,
)
_BOUND = re.compile(
    r"\bfor\b([^\n]*?)\bin\b|\bas[ \t]+(\w+)|\b(\w++)[ \t]*+:="
    r"|^[ \t]*+\(?((?:[\w.*]+[ \t]*,[ \t]*)+[\w.*]*)\)?[ \t]*=(?!=)",
    re.MULTILINE,
)
_WORD = re.compile(r"\w+")


def writes(text: str) -> bool:
    """Whether a region writes into something that may be a tensor."""
    if not any(sign in text for sign in _SIGNS):
        return False
    return any(_WRITE.search(line) and not _is_of_others(line, text) for line in _assigning(text))


def _assigning(text: str) -> Iterator[str]:
    """The lines that may write into something."""
    end = 0
    for found in _SIGN.finditer(text):
        if found.start() >= end:
            end = text.find("\n", found.end()) + 1 or len(text)
            yield text[text.rfind("\n", 0, found.start()) + 1 : end]


def _is_of_others(line: str, text: str) -> bool:
    """Whether a line writes into what is surely a dict, list, string or count."""
    if ";" in line:
        return False
    if _OF_OTHERS.match(line):
        return True
    entry, count = _ENTRY.match(line), _COUNT.match(line)
    collections, counts = _own(text) if entry or count else (frozenset[str](), frozenset[str]())
    return bool(entry and entry[1] in collections) or bool(count and count[1] in counts)


@lru_cache(maxsize=1)
def _own(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that are nothing but collections which the region makes, or whole numbers."""
    collections: set[str] = set()
    counts: set[str] = set()
    others: set[str] = set()
    first: dict[str, int] = {}
    for word in _WORD.finditer(text):
        first.setdefault(word[0], word.start())
    for found in _GIVEN.finditer(text):
        name, collection, number = found.groups()
        kind = collections if collection else counts if number else others
        if name not in kind and first[name] < found.start(1):
            kind = others
        kind.add(name)
    for found in _BOUND.finditer(text):
        others.update(word for part in found.groups("") for word in _WORD.findall(part))
    return frozenset(collections - counts - others), frozenset(counts - collections - others)
