"""Pseudo-words for more than one word: idioms that the text itself tells, and that are rare.

``zeros().to()`` is one of the methods that move, called on what a call gives or on what the line
before has given that to, and ``x=f([x])`` an assignment of what is joined to the name of a part, in
a loop that does no more with it; where there is a loop or a forward, what compiles goes by a name
of its own. ``for:return`` is a loop that gathers something, and whose body ends with a ``return``
or ``break`` of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.skimming import word_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

REGROWN = "x=f([x])"
COMPILED = frozenset({"torch.compile()", "jit.script()", "jit.trace()"})

AFFINE_PAIR = "Linear,Linear"
"""Two linear layers that are built in sequence, or two calls by names that linear layers have."""

ATTENTION = "softmax@"
"""A softmax and a product with something transposed, and no attention of torch."""

SAVED = "save(model)"
"""Something is saved by its bare name, which is not that of a state."""

_SAVED = Pattern(
    r"(?<!def )\bsave\(\s*(?:obj\s*=\s*)?(?!self,|[\w.]*(?:state|ckpt|checkpoint|dict))[\w.]+\s*,"
)

EXPORTED = "export(model)"
"""A model is exported, or traced."""

_EXPORTED = Pattern(
    r"\bonnx\.export\(|\bjit\.trace\(|\bexport\.export\(|(?<![.\w])(?<!def )export\(\w"
)

COMPILING = "torch.compile"
"""Something is compiled."""

_COMPILES = Pattern(r"torch\.compile\b")

ZEROED = "grad.zero_()"

TIMED = "time()-"

ROWS = "for row in x"

TRIP = "numpy()…to()"
CUT_SHORT = "for:return"

DATA_COMPARED = "max(.data)"
"""The pseudo-word of a region that looks for the largest of the ``data`` of something."""

_DATA_COMPARED = Pattern(r"\bmax\(\w+\.data\b|\.data\.(?:arg)?max\(")

DATA_WRITTEN = ".data[]="
"""The pseudo-word of a region that writes into a part of the ``data`` of something."""

_DATA_WRITTEN = Pattern(r"\.data\[(?![\"'])[^]\n]*\][ \t]*[-+*/]?=(?!=)")
BY_NUMBER = "softmax!"
"""The pseudo-word of a region that calls or builds a softmax, and says no dimension."""

_BY_NUMBER = Pattern(
    r"\b(?:F|functional)\.(?:log_)?softmax\((?:[^(),]|\([^()]*\))*\)|\b(?:Log)?Softmax\(\)"
)
OVER_FIRST = "softmax(0)"
"""The pseudo-word of a region that calls or builds a softmax over the first dimension."""

_OVER_FIRST = Pattern(r"oftmax\((?:[^\n=]*,\s*)?(?:dim\s*=\s*)?0\s*\)")
_CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "default_timer")
_READ = Pattern(rf"{word_of(*_CLOCKS)}(?:_ns)?\(\)")
_SUBTRACTED = Pattern(rf"{_READ.pattern}\)?\s*-\s*\w")
_WAITS = Pattern(r"\b(?:synchronize|item|tolist)\(")
_NO_MOVE = r"(?:torch\.(?!device)|dtype\b(?![^()\n]*\bdevice)|\w+\.dtype)"
"""What ``to`` is told first where it only casts."""

_MOVED = Pattern(rf"\)(?:\[[None:, .]*])?\.(?=(to|cuda)\()(?!to\({_NO_MOVE})")
# A string that stands by itself does nothing.
_MOVED_NEXT = Pattern(
    r"\)[ \t]*(?:#[^\n]*)?\n\s*(?:[\"'][^\"'\n]*[\"'];[ \t]*)?"
    rf"([\w.]+) = \1\.(to|cuda)\((?!{_NO_MOVE})"
)
_JOINED = Pattern(r"\b(\w+)\s*=\s*[\w.]*(?:cat|concat|concatenate|stack)\(\s*[\[(]([^\])]*)")
_BROUGHT_BACK = Pattern(
    r"\b(?:from_numpy|[Tt]ensor|FloatTensor|LongTensor)\((?s:.)*(?:\.to\(|\.cuda\(|\bdevice=)"
)
_ROWS = Pattern(
    # A short loop with statements that give something to a name, a place or a list.
    r"^([ \t]*)for (?:(\w+) in range\(|(\w+), \w+ in enumerate\((?:[\w.]+|[^\n]*\.\w+)\):"
    r"|\w+ in [\w.]+:|\w+(?:, \w+)* in zip\((?:[\w.]+(?:, [\w.=]+)*|[^\n]*\.\w[^\n]*)\):)[^\n]*\n"
    r"((?:\1[ \t]+(?:\w+(?:\[[^\n=]*\])?[ \t]*\+?=[ \t]|\w+\.append\()[^\n]*\n){1,6})(?!\1[ \t])",
    re.MULTILINE,
)
_PART = Pattern(r"#[^\n]*|\[[^][\n]*\]\.\w+(?=\[)|\[(?:([^\W\d]\w*)(?:, [-\d: ]+)*\])?")
"""A comment, an item of which a part is taken, or what is, by a name and plain numbers or not."""

_ROW_WORK = Pattern(
    r"\b(?:dot|matmul|mm|sum|mean|std|var|norm|abs|exp|log|sqrt|pow|softmax|sigmoid|tanh|relu|clamp"
    r"|max|min|argmax|cosine_similarity|\w+_loss)\(|\] [-*/@] \w+\[|\bmul\("
)
_NO_ROWS = Pattern(
    r"\b(?:self\.\w+\(|[A-Z]\w*\(|if|for|lambda|await|yield|str|len|int|print|open|range)\b"
    r"|(?<![\w.])(?!float\()[a-z_]\w*\((?!\))|['\"{]"
)
_COMPILED = Pattern(r"\b(torch\.compile|jit\.(?:script|trace))(?=\()")
_AFFINE = Pattern(r"\bLinear\([^()]*(?:\([^()]*\)[^()]*)*\),\s*(?:torch\.)?(?:nn\.)?Linear\(")
_LINEAR = r"(?!\w*drop|\w*norm\w{0,2}\()\w*(?:fc|lin|dense|hidden|out|head|layer)\w*\("
_APPLIED = Pattern(
    rf"\bself\.{_LINEAR}self\.{_LINEAR}"
    rf"|\b(\w+) = self\.{_LINEAR}\w+\)\n\s*(?:\w+ = |return )self\.{_LINEAR}\1\)"
)
_SCORES = Pattern(r"(?:@|\b(?:matmul|bmm)\()[^\n]*(?:transpose\(|permute\(|\.t\(\)|\.mT\b|\.T\b)")
_LOOP = Pattern(r"^[ \t]*(?:async )?(?:for|while)\b", re.MULTILINE)
_BODY = Pattern(
    r"^([ \t]*+)(?:async )?(?:for|while)\b[^\n]*\n(?=((?:[ \t]*\n|\1[ \t)\]}][^\n]*\n)*))",
    re.MULTILINE,
)
_OUT = Pattern(r"^([ \t]++)(?:return|break)\b", re.MULTILINE)
_GATHERED = Pattern(r"\+=|\.(?:append|extend|update)\(")
_MARGIN = Pattern(r"^([ \t]++)[^\s#)\]}]", re.MULTILINE)


RESHAPED = frozenset(
    "float double half bfloat16 long int short bool byte type unsqueeze squeeze view reshape "
    "expand expand_as repeat tile flatten unflatten t transpose swapaxes permute".split()
)
"""Methods that give what they are called on in another type or shape."""


def moved(factory: str) -> tuple[str, str]:
    """The pseudo-words of what a factory makes being moved at once."""
    return f"{factory}().to()", f"{factory}().cuda()"


def _moves(text: str, names: set[str]) -> Iterator[str]:
    """The pseudo-words of what is moved at once, or on the next line."""
    for found in _MOVED.finditer(text):
        yield f"{_maker(text, found.start())}().{found[1]}()"
    if "to" in names or "cuda" in names:
        for found in _MOVED_NEXT.finditer(text):
            yield f"{_maker(text, found.start())}().{found[2]}()"


def _recorded(text: str) -> Iterator[str]:
    """The pseudo-words of what records or compiles."""
    if ("export(" in text or "jit.trace(" in text) and _EXPORTED.search(text):
        yield EXPORTED
    if "torch.compile" in text and _COMPILES.search(text):
        yield COMPILING


def _of_data(text: str) -> Iterator[str]:
    """The pseudo-words of what goes past autograd."""
    if ".data" in text and _DATA_COMPARED.search(text):
        yield DATA_COMPARED
    if ".data[" in text and _DATA_WRITTEN.search(text):
        yield DATA_WRITTEN


def idioms(text: str, names: set[str]) -> Iterator[str]:
    """The pseudo-words of a region in which these identifiers stand."""
    yield from _moves(text, names)
    if "time" in text or "perf_counter" in text or "monotonic" in text:
        reads = len(_READ.findall(text))
        if (reads > 1 or (reads and _SUBTRACTED.search(text))) and not _WAITS.search(text):
            yield TIMED
    if ".cpu()" in text and "numpy" in text and _BROUGHT_BACK.search(text):
        yield TRIP
    if "for" in names and any(_is_of_rows(*found.groups()[1:]) for found in _ROWS.finditer(text)):
        yield ROWS
    yield from _of_data(text)
    if "oftmax(" in text and _BY_NUMBER.search(text):
        yield BY_NUMBER
    if "oftmax(" in text and _OVER_FIRST.search(text):
        yield OVER_FIRST
    if "save(" in text and _SAVED.search(text):
        yield SAVED
    yield from _recorded(text)
    if "grad.zero_(" in text:
        yield ZEROED
    if "softmax(" in text and "scaled_dot_product" not in text and _SCORES.search(text):
        yield ATTENTION
    if ("Linear(" in text and _AFFINE.search(text)) or (
        "def forward" in text and _APPLIED.search(text)
    ):
        yield AFFINE_PAIR
    if ("torch.compile(" in text or "jit." in text) and (
        _LOOP.search(text) or "def forward" in text
    ):
        yield from (f"{found[1]}()" for found in _COMPILED.finditer(text))
    loops = "for" in names or "while" in names
    leaves = "return" in names or "break" in names
    gathers = loops and leaves and _GATHERED.search(text)
    if gathers and any(map(_is_cut_short, _BODY.finditer(text))):
        yield CUT_SHORT
    if ("cat(" in text or "stack(" in text or "concatenate(" in text) and _LOOP.search(text):
        for found in _JOINED.finditer(text):
            name = Pattern(rf"\b{found[1]}\b")
            loop, apart = (
                _loop_around(text, found.start()) if name.search(found[2]) else ("", False)
            )
            if len(name.findall(loop)) in ((2, 3, 4) if apart else (2,)):
                yield REGROWN
                return


def _is_of_rows(number: str | None, index: str | None, body: str) -> bool:
    """Whether the text of a short loop has rows in it, and nothing that tells otherwise.

    ``number`` is what a range gives, which picks the rows, and ``index`` what may do so as well.
    """
    if number and not re.search(rf"\[{number}[],]", body):
        return False
    taken = [found[1] for found in _PART.finditer(body) if found[0] == "[" or found[1]]
    if any(part is None or part != (number or index) for part in taken):
        return False
    return _ROW_WORK.search(body) is not None and not _NO_ROWS.search(body)


def _is_cut_short(loop: re.Match[str]) -> bool:
    """Whether the last statement of a loop's body leaves it, though something is gathered there."""
    outs = list(_OUT.finditer(loop[2]))
    if not outs or not _GATHERED.search(loop[2]):
        return False
    margins = [len(found[1]) for found in _MARGIN.finditer(loop[2])]
    after = [len(found[1]) for found in _MARGIN.finditer(loop[2], outs[-1].end())]
    least = min(margins)
    return len(outs[-1][1]) == least and least not in after


def _loop_around(text: str, start: int) -> tuple[str, bool]:
    """The loop of which a statement that begins at a place may be in every round, by the margins.

    Some rounds may be apart, as the first is, or all be of one kind, as a setting says.
    """
    apart = False
    lines = text[:start].split("\n")
    begun = lines.pop()
    margin = len(begun) - len(begun.lstrip())
    while lines:
        line = lines.pop()
        code = line.lstrip()
        if code and code[0] not in "#)]}" and len(line) - len(code) < margin:
            margin = len(line) - len(code)
            if _LOOP.match(line):
                first = sum(map(len, lines)) + len(lines)
                end = Pattern(rf"^[ \t]{{0,{margin}}}[^\s#)\]}}]", re.MULTILINE).search(text, start)
                return text[first : end.start() if end else None], apart
            apart = apart or code.startswith("else:")
            if not code.startswith(("with ", "try:", "else:", "if ", "if(", "elif ")):
                break
    return "", False


def _maker(text: str, end: int) -> str:
    """The name before the parenthesis that the one at ``end`` closes, but for other forms of it."""
    depth, start = 0, end
    while start >= 0:
        depth += {")": 1, "(": -1}.get(text[start], 0)
        if not depth:
            break
        start -= 1
    first = start
    while first > 0 and (text[first - 1].isalnum() or text[first - 1] == "_"):
        first -= 1
    name = text[first:start]
    if name in RESHAPED and text[max(first - 2, 0) : first] == ").":
        return _maker(text, first - 2)
    if name == "Variable" and text[end - 1] == ")":
        return _maker(text, end - 1)
    return name
