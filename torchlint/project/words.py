"""The words of a stretch of code: identifiers, and pseudo-words for what they alone do not tell.

A rule names the words without which it cannot fire, and only code that has one is analysed. They
are told by the text, which is searched much faster than parsed, and may be there for nothing.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from torchlint.project import (
    classwords,
    datawords,
    given,
    imagewords,
    layerwords,
    orderwords,
    pairwords,
    shapewords,
    sizewords,
    trails,
    writewords,
    zeros,
)
from torchlint.project.dropped import MOVES, RESULTS, dropped
from torchlint.project.factories import FACTORIES, FLOATS, factories
from torchlint.project.handed import handed
from torchlint.project.idioms import idioms
from torchlint.project.skimming import lines_with, word_of
from torchlint.project.writewords import AUGMENTED, TRAILING_UNDERSCORE
from torchlint.sources.patterns import Pattern

_WORD = Pattern(r"[^\W\d]\w*")
_CALLED = Pattern(r"\b(?<!def )([^\W\d]\w*+)\(")
_OUT = Pattern(r"[(,]\s*out\s*=(?!=)")

OUT = "out="
"""The pseudo-word of a region that passes an argument ``out``."""

INPLACE = "inplace="
"""The pseudo-word of a region that passes or sets an argument ``inplace``."""

_INPLACE = Pattern(r"\binplace[ \t]*=(?!=)")

WEIGHT_WRITE = "weight_()"
"""The pseudo-word of a region that writes into what is called a weight or a bias, or calls a method
with a trailing underscore on an attribute of ``self``, and nowhere switches the grad mode off."""

_WEIGHT_WRITE = Pattern(
    r"\.(?:weight|bias)(?:\[[^]\n]*\])?(?:\.(?!requires_grad_)[a-z]\w*_\(|[ \t]*[-+*/]=)"
    r"|\.(?:weight|bias)\[[^]\n]*\][ \t]*=(?!=)"
    r"|\bself\.\w+(?:\[[^]\n]*\])?\.(?:normal|uniform|trunc_normal|fill|clamp|mul|div|sub)_\("
)
REQUIRED = "requires_grad=True"
"""The pseudo-word of a region that asks for a gradient by keyword, or sets the flag."""

_REQUIRED = Pattern(r"\brequires_grad[ \t]*=[ \t]*True\b")

FLAG = ".requires_grad="
"""The pseudo-word of a region that sets the flag of what is not called a parameter."""

_FLAG = Pattern(r"(?<!\bp)(?<!\bparam)(?<!\bparams)(?<!\bparameter)\.requires_grad[ \t]*=(?!=)")

STATE_FLAG = "state_dict().requires_grad=False"
"""The pseudo-word of a region that asks for a state dict, and tells something to need no grad."""

_UNFLAGGED = Pattern(r"\brequires_grad(?:_\(|[ \t]*=[ \t]*)False\b")

EXPANDED_WRITE = "expand()="
"""The pseudo-word of a region that expands something, and writes into what may come of it."""

_DEFINING = ("def ", "async ", "@", "class ")
_EXPANDING = frozenset({"expand()", "expand_as()", "broadcast_to()"})
_EXPANDED = ("expand", "expand_as", "broadcast_to")

COPY_WRITE = "[][]="
"""The pseudo-word of a region that writes into what an index, or a call that copies, has given."""

_COPY_WRITE = Pattern(
    # What is no single number or key: a comparison, a list, or a name of some length.
    r"(?:\[(?=[^]\n]*(?:[<>=~|&\[]|\b[A-Za-z_]{4,}))[^]:'\"\n]*\]+"
    r"|\.(?:index_select|masked_select|gather|take|clone|repeat|tile)\([^()\n]*\))"
    r"(?:(?:\[[^]'\"[\n]*\])+[ \t]*(?:[-+*/]|\*\*|//)?=(?!=)|(?:\[[^][\n]*\])*\.[a-z]\w*_\()"
)
ADDED_AT_INDEX = "[]+="
"""The pseudo-word of a region that adds to what stands at an index which may be a tensor."""

_ADDED_AT_INDEX = Pattern(
    # No number, no key in writing, no slice alone and no counter of a loop.
    r"\[(?![ijkn]\])(?=[^]\n]*[A-Za-z_[])(?:[^:=\n'\"]*|(?=[^]\n]*,)[^=\n'\"]*)\]"
    r"[ \t]*[-+]=(?!=)"
    r"|(?:^|;)[ \t]*+([\w.]++\[(?![ijkn]\])[^:=\n'\"]*\])[ \t]*=[ \t]*\1[ \t]*[-+]",
    re.MULTILINE,
)
_INTO_ITEMS = ("] +=", "] -=", "]+=", "]-=", "] = ")
"""What stands in all of these, and is found faster."""

CHECKPOINT = "checkpoint!"
"""The pseudo-word of a region that checkpoints something, and nowhere says ``use_reentrant``."""

IDLE_MODE = "no_grad!"
"""The pseudo-word of a region where a grad mode may do nothing: a statement of its own, or
uncalled after ``with``."""

_IDLE_MODE = Pattern(
    r"(?:^|;)[ \t]*+(?:[\w.]+\.)?(?:no_grad|enable_grad|inference_mode)\b(?!\()[ \t]*$"
    r"|(?:^|;)[ \t]*+(?:[\w.]+\.)?(?:no_grad|enable_grad|inference_mode)\([^()\n]*\)"
    r"[ \t]*(?:$|[#;])"
    r"|\bwith\b.*\b(?:no_grad|enable_grad|inference_mode|set_grad_enabled)\b[ \t]*(?:as\b|[,:])",
    re.MULTILINE,
)
_MODES = frozenset({"no_grad", "enable_grad", "inference_mode", "set_grad_enabled"})
LOST_CALL = "step!"
"""The pseudo-word of a region where a method of a model or optimizer is named without being called,
or its result takes its owner's name."""

_UNCALLED = Pattern(
    r"\.(?:step|zero_grad|backward|eval|train|state_dict)\b(?!\()|load_state_dict\("
)
"""What stands in all of these, and is found faster."""

_LOST_CALL = Pattern(
    r"(?:^|;)[ \t]*+(?:[\w.]+\.)(?:step|zero_grad|backward|eval|train)[ \t]*(?:$|[#;])"
    r"|(?:^|;)[ \t]*+([\w.]++)[ \t]*=[ \t]*(?:\1|\w+\([^()\n]*\))\.load_state_dict\("
    r"|(?:^|;)[ \t]*+([\w.]++)[ \t]*=[ \t]*\2\.(?:eval|train)[ \t]*(?:$|[#;])"
    r"|\bsave\(.*\.state_dict[ \t]*[,})]",
    re.MULTILINE,
)
_LOSABLE = frozenset("step zero_grad backward eval train load_state_dict state_dict".split())
_DROPPABLE = frozenset({*(f"{name}()" for name in RESULTS | MOVES), "requires_grad"})
_MAKING = frozenset(f"{name}()" for name in FACTORIES | FLOATS)
DATA_INDEXED = "data[]"
"""The pseudo-word of a region that indexes the ``data`` of something, or an array of it."""

_SPACED = "".join(each if each.isalnum() or each == "_" else " " for each in map(chr, range(128)))
"""For ``translate``, which is faster than a pattern."""

_OPENED = "".join("(" if each == "(" else _SPACED[ord(each)] for each in map(chr, range(128)))
"""The same, with parentheses that open."""

_OWN = Pattern(word_of("self", "cls", r"super\([^()\n]*\)") + r"\.(\w+)")


def own(text: str) -> frozenset[str]:
    """The names of what a method uses of its own object or class."""
    return frozenset(map(sys.intern, _OWN.findall(text)))


def plain(text: str) -> set[str]:
    """The identifiers in a text; of one that is all ASCII, its numbers too."""
    return set(text.translate(_SPACED).split() if text.isascii() else _WORD.findall(text))


def _called(text: str) -> set[str]:
    """What a region calls: the names before parentheses, but for what it defines."""
    if not text.isascii():
        return set(_CALLED.findall(text))
    names = set()
    for before in text.translate(_OPENED).split("(")[:-1]:
        start = before.rfind(" ") + 1
        if before[start - 4 : start] != "def ":
            names.add(before[start:])
    return {name for name in names if name.isidentifier()}


@lru_cache(maxsize=2048)  # Files near each other often have the same function.
def words(text: str) -> frozenset[str]:
    """The identifiers and the pseudo-words of a region."""
    found = set(map(sys.intern, filter(str.isidentifier, plain(text))))
    found.update(sys.intern(f"{name}()") for name in _called(text))
    _add_writes(text, found)
    if ".data[0]" in text or ".data[-1]" in text or ".numpy()[0]" in text:
        found.add(DATA_INDEXED)
    found.update(zeros.words(text))
    found.update(classwords.words(text))
    found.update(imagewords.words(text))
    found.update(datawords.words(text))
    found.update(pairwords.words(text))
    found.update(shapewords.words(text))
    found.update(orderwords.words(text))
    found.update(layerwords.words(text))
    found.update(sizewords.words(text))
    if found & {"checkpoint()", "checkpoint_sequential()"} and "use_reentrant" not in found:
        found.add(CHECKPOINT)
    if "requires_grad" in found:
        found.update(
            word for word, pattern in ((REQUIRED, _REQUIRED), (FLAG, _FLAG)) if pattern.search(text)
        )
        if "state_dict()" in found and _UNFLAGGED.search(text):
            found.add(STATE_FLAG)
    if not found.isdisjoint(_MODES) and _has_idle_mode(text):
        found.add(IDLE_MODE)
    found.update(map(sys.intern, idioms(text, found)))
    found.update(map(sys.intern, given.words(text, found)))
    found.update(handed(text, found))
    if not found.isdisjoint(_DROPPABLE):
        found.update(map(sys.intern, dropped(text, found)))
    if not found.isdisjoint(_MAKING):
        found.update(factories(text))
    if not found.isdisjoint(_LOSABLE) and _UNCALLED.search(text) and _LOST_CALL.search(text):
        found.add(LOST_CALL)
    return frozenset(found)


def _has_idle_mode(text: str) -> bool:
    return any(_IDLE_MODE.search(text, *line) for line in lines_with(text, _MODES))


def _add_writes(text: str, found: set[str]) -> None:
    """Add the pseudo-words of what is changed in place."""
    if any(_ADDED_AT_INDEX.search(text, *line) for line in lines_with(text, _INTO_ITEMS)):
        found.add(ADDED_AT_INDEX)
    found.update(writewords.words(text))
    if "out" in found and _OUT.search(text):
        found.add(OUT)
    if "inplace" in found and _INPLACE.search(text):
        found.add(INPLACE)
    writes = not found.isdisjoint({TRAILING_UNDERSCORE, AUGMENTED, OUT})
    # At the top level the write is another statement, and another region.
    if found & _EXPANDING and (
        not text.lstrip().startswith(_DEFINING) or (writes and _writes_expanded(text))
    ):
        found.add(EXPANDED_WRITE)
    if writes:
        if _COPY_WRITE.search(text):
            found.add(COPY_WRITE)
        weighs = "self" in found or not found.isdisjoint({"weight", "bias"})
        if weighs and not found & {"no_grad", "inference_mode"} and _WEIGHT_WRITE.search(text):
            found.add(WEIGHT_WRITE)


def _writes_expanded(text: str) -> bool:
    """Whether a function may write into what it has expanded."""
    code = trails.parsed(text)
    if code is None:
        return True
    trail = code.trail_of_memory(lambda call: trails.called(call).endswith(_EXPANDED))
    return any(map(trail.leads_to, code.written))
