"""Pseudo-words for calls that are told by what they are given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project import rebinding
from torchlint.project.skimming import has_any, lines_with
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ALWAYS_ON = "dropout()!"
"""The pseudo-word of a region that drops or normalises by a function, and does not say when."""

BUILT_AND_APPLIED = "X()()"
"""The pseudo-word of a region that calls an object of a class where it builds it."""

BUILT = "nn.X()"
"""The pseudo-word of a region that builds a layer which has something to lose.

What the object has under the name of a class is no class.
"""

NO_PARAMETER = "Parameter().to()"
"""The pseudo-word of a region that changes a parameter where it is made, or assigns to a weight."""

ONCE = "self.x=f(self.p)"
"""The pseudo-word of a method that makes a parameter and computes an attribute from it."""

ASKED = "self.x=f(requires_grad=True)"
"""The pseudo-word of a method that gives its object a tensor that asks for gradients."""

REMADE = "self.x=self.x.to()"
"""The pseudo-word of a region that gives an attribute what it computes from that attribute."""

MULTIPLIED = "[layer]*n"
"""The pseudo-word of a region that multiplies a list of a layer, or has one for each round."""

NO_MODULES = "Sequential([])"
"""The pseudo-word of a region that gives a container of layers a list, a class or a function.

For a container that takes a list, it is layers that are no list.
"""

BUILT_OF_DATA = "nn.ReLU(x)"
"""The pseudo-word of a region that builds an activation, or its like, of what is no setting."""

KEPT_CLASS = "self.x=nn.ReLU"
"""The pseudo-word of a constructor that keeps what by default is the class of a layer."""

BIAS_NORMED = "Conv2d(),BatchNorm2d()"
"""The pseudo-word of a region that builds a layer with a bias, and a batch norm next."""

_BIASED = Pattern(r"\b(Conv(?:Transpose)?[123]d|Linear)\(")
_NORMED = Pattern(r"[\s,)]*(?:self\.\w+\s*=\s*)?(?:torch\.)?(?:nn\.)?BatchNorm")

SHARED = "=nn.X()"
"""The pseudo-word of a region that builds a layer for a default, or in the body of a class."""

HALF_TIED = "weight.data=weight"
"""The pseudo-word of a region that gives a weight the data of another."""

_DEFAULT = Pattern(r"\s*(?:async )?def \w+\(")
_HALF_TIED = Pattern(
    r"\.(weight|bias)(?:\.data)?[ \t]*=(?!=)[ \t]*"
    r"(?:(?:nn\.)?Parameter\([\w.\[\]]*\.\1(?:\.data)?\)"
    r"|[\w.\[\]]*\.\1\.data(?:\.(?:m?T\b|t\(\)|transpose\([^()\n]*\)))?[ \t]*(?:$|#))",
    re.MULTILINE,
)

FORWARD = "x.forward()"
"""The pseudo-word of a region that calls the forward of something other than itself."""

INIT_IDLE = "init.x()"
"""The pseudo-word of a region that initialises by an old name, or a copy, or applies a call."""

TUPLE_FED = "Sequential(LSTM())"
"""The pseudo-word of a region that builds a container and a layer which gives several tensors."""

FILLED = "weight.fill_(1)"
"""The pseudo-word of a region that fills weights, not those of norms, with one number."""

ACTIVATED_TWICE = "relu(relu())"
"""The pseudo-word of a region with two activations one after the other."""

_FORWARD = Pattern(r"\b(?!self\b|super\b)[a-z_]\w*(?:[.\[][\w.\[\]]*)?\.forward\(")
_INIT_IDLE = Pattern(
    r"\binit\.[a-z_]+[a-z]\(|\binit\.\w+_\([^\n]*\.(?:clone|cpu|detach|repeat)\(|\.apply\(\s*[\w.]+\([\w.]*\)\s*\)"
)
_FILLED = Pattern(
    r"(?:\binit\.|(?<![\w.]))(?:constant|zeros|ones)_?\(\s*(?![\w.\[\]]*(?:bn|norm|bias|gamma|beta)|self\.weight\b)"
    r"[\w.\[\]]*(?:weight|\bp|param\w*)\b"
    r"|(?<!bn)(?<!norm)\b(?:weight|p|param\w*)(?:\.data)?(?:\.(?:fill|zero)_\(|\.copy_\(torch\.(?:zeros|ones|full)"
    r"|[ \t]*=[ \t]*torch\.(?:ones|full))"
)
_FILLING = frozenset("constant constant_ zeros zeros_ ones ones_ fill_ zero_ copy_ full".split())
_FILLING_MARKS = ("constant", "zeros", "ones", ".fill_(", ".zero_(", ".copy_(", ".full")
_ASKS = ("isinstance(", "type(", ".find(")
_LAYER = Pattern(r"\b(?:Linear|Conv\w*)\b")
_LOOP = Pattern(r"^\s*for ", re.MULTILINE)
_RECURRENT = Pattern(r"\b(?:LSTM|GRU|RNN|LSTMCell)\(|return_indices=True")
_ACTIVATIONS = "ReLU|LeakyReLU|ELU|GELU|SiLU|Tanh|SELU|Softplus|Mish|Hardswish"
_IN_ACTIVATIONS = ("LU(", "lu(", "anh(", "oftplus(", "Mish(", "swish(")
_ACTIVATED_TWICE = Pattern(
    rf"\b({_ACTIVATIONS})\([^()]*\)\s*,\s*(?:nn\.)?(?:\1|Softmax|LogSoftmax)\("
    r"|\b(relu|tanh|gelu|silu|elu|leaky_relu)\(\s*[\w.]*\b\2\(|softmax\(\s*[\w.]*relu\("
    r"|\b(\w+)[ \t]*=[^\n]*\b(relu|tanh|gelu|silu|elu|leaky_relu|act\w*)\([^\n]*\n[^\n]*"
    r"(?:softmax|\4)\([ \t]*\3\b(?!\.)",
    re.IGNORECASE,
)
_DROPPING = Pattern(
    r"(?:\b(?:F|functional|torch)\.|(?<![\w.]))"
    r"(dropout[123]?d?|scaled_dot_product_attention|batch_norm)\("
)
_MODE = "train"
_BRACKET = Pattern(r"[()\[\]{}]")
_BUILT = Pattern(r"\b([A-Z]\w*)\(")
_WITH_WEIGHTS = (
    "Linear Bilinear Embedding Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d BatchNorm1d "
    "BatchNorm2d BatchNorm3d LayerNorm GroupNorm RMSNorm PReLU LSTM GRU RNN LSTMCell GRUCell "
    "MultiheadAttention TransformerEncoderLayer Dropout Dropout1d Dropout2d Dropout3d"
).split()
_PARAMETER = Pattern(r"\b(Parameter)\(")
_CHANGED = Pattern(r"[ \t]*(?:[-+/@]|\*|\.(?!data\b|requires_grad_|shape\b))")
_CHANGED_LATER = Pattern(
    r"^[ \t]*(\w+)[ \t]*=[ \t]*[\w.]*\bParameter\([^\n]*\n(?:[^\n]*\n){0,6}?"
    r"[ \t]*[\w.]+[ \t]*=[ \t]*\1\.(?:to|cuda|double|half)\(",
    re.MULTILINE,
)
_REPLACED = Pattern(r"(?<!\bself)\.(?:weight|bias)[ \t]*=(?!=)(?![^\n]*(?:Parameter\(|None))")
_REMADE = Pattern(
    r"self\.(\w+)[ \t]*=[ \t]*"
    r"(?:[\w.]+\(self\.\1\b|self\.\1\b(?:[ \t]*[-*/]|\.(?:data|detach|clone|to|cuda)\b))"
)
_ASKED = Pattern(
    r"\bself\.\w+[ \t]*(?::[^=\n]*)?=[ \t]*(?:torch\.\w+|(?:\w+\.)?Variable)\((?:[^()]|\([^()]*\))*"
    r"(?:\brequires_grad[ \t]*=[ \t]*True|\)\.requires_grad_\(\))"
)
_MADE = Pattern(r"\bself\.(\w+)[ \t]*(?::[^=\n]*)?=[ \t]*[\w.]*\bParameter\(")
_GIVEN = Pattern(r"\bself\.\w+[ \t]*=(?!=)([^\n]*)")
_USED = Pattern(
    r"\bself\.(\w+)\b(?!\("
    r"|\.(?:data|detach|shape|size|dim|ndim|numel|dtype|device|requires_grad|copy_|fill_)\b)"
)
_CONTAINER = Pattern(r"\b(Sequential|ModuleList)\(")
_LAYERS = Pattern(r"[a-z_][\w.]*[ \t]*,|(?:\w+\.)*[A-Z]\w*\((?![^\n]*\bfor\b)")
_COPIED_LAYER = Pattern(
    r"\[\s*[\w.]*\b[A-Z]\w*\([^\[\]\n]*\)\s*\]\s*\*"
    r"|\*(?:(?<=\w\*)|(?<=\w \*)|(?<=\w\s\s\*))\s*\[\s*[\w.]*\b[A-Z]\w*\("
)
_TIMES_LIST = Pattern(r"\]\s*\*|\*\s*\[")
_COPIED_NAME = Pattern(
    r"\[(?!None|True|False)[A-Za-z_]\w*\]\s*\*\s*[\w(]|[\[(]\s*([a-z_]\w*) for (?!\1\b)\w+ in\b"
)
_APPENDED = Pattern(r"^[ \t]+[\w.]+\.append\(([a-z_]\w*)\)", re.MULTILINE)
_NAME = Pattern(r"[a-z_][\w.]*")
_INNER = Pattern(r"\([^()]*\)")
_BARE = Pattern(
    r"(?:^|[,\[])\s*(?:(?:torch\.)?nn\.[A-Z]\w*|(?:F|functional|torch)\.[a-z_]\w*|lambda\b[^,]*)"
    r"\s*(?=[,\]]|$)"
)
_PLAIN_LAYERS = frozenset(
    "ReLU ReLU6 Sigmoid Tanh Softmax LogSoftmax GELU LeakyReLU ELU SiLU Softplus Flatten "
    "Dropout Dropout1d Dropout2d Dropout3d".split()
)
_IMPORTED = frozenset({*_WITH_WEIGHTS, *_PLAIN_LAYERS, "Sequential", "ModuleList", "Parameter"})
"""Classes of ``nn`` that may be called without it."""

_CLASS = rf"(?:(?:torch\.)?nn\.[A-Z]\w*|{'|'.join(sorted(_IMPORTED))})"
_LAYER_BY_DEFAULT = Pattern(rf"\b(\w+)(?:[ \t]*:[^=\n]*)?[ \t]*=[ \t]*{_CLASS}\s*[,)]")
_MADE_ONCE = rf"{_CLASS}\("
_BUILT_ONCE = Pattern(rf"=\s*{_MADE_ONCE}")
_OF_CLASS = Pattern(rf"[ \t]+(?:[^\n;]*;[ \t]*)?\w+(?:\s*:[^=\n]+)?\s*=\s*{_MADE_ONCE}")
_PLAIN_LAYER = Pattern(rf"\b({'|'.join(sorted(_PLAIN_LAYERS))})\((?!\))")
_SETTING = Pattern(r"-?[\d.]|True|False|None|\*|inplace|dim|axis|approximate|\w+[ \t]*=(?!=)|['\"]")
_DATA_AND_RATE = Pattern(r"[\w.]+\s*,")
_WEIGHTED = Pattern(rf"(?<!self\.)\b(?:{'|'.join(sorted(_WITH_WEIGHTS))})\(")


def words(text: str, names: set[str]) -> Iterator[str]:
    """The pseudo-words of a region in which these identifiers stand."""
    if ("dropout" in text or "batch_norm(" in text) and _any(text, _DROPPING, _is_always_on):
        yield ALWAYS_ON
    if ")(" in text and _any(text, _BUILT, lambda _, __, after: after.startswith("(")):
        yield BUILT_AND_APPLIED
    if not names.isdisjoint(_WITH_WEIGHTS) and _WEIGHTED.search(text):
        yield BUILT
    changed = "Parameter(" in text and (
        _any(text, _PARAMETER, lambda _, __, after: bool(_CHANGED.match(after)))
        or _CHANGED_LATER.search(text)
    )
    weighed = not names.isdisjoint({"weight", "bias"}) and _REPLACED.search(text)
    if changed or weighed:
        yield NO_PARAMETER
    if "self" in names and _REMADE.search(text):
        yield REMADE
    if "requires_grad" in text and _ASKED.search(text):
        yield ASKED
    if "Parameter(" in text and _follows(text):
        yield ONCE
    contains = "Sequential(" in text or "ModuleList(" in text
    copied = "*" in text and _TIMES_LIST.search(text) and _COPIED_LAYER.search(text)
    if copied or (
        contains
        and (
            _any(text, _CONTAINER, lambda _, given, __: bool(_COPIED_NAME.search(given)))
            or (".append(" in text and any(_is_older(text, f) for f in _APPENDED.finditer(text)))
        )
    ):
        yield MULTIPLIED
    if contains and _any(text, _CONTAINER, _is_list_or_bare):
        yield NO_MODULES
    if not names.isdisjoint(_PLAIN_LAYERS) and _any(text, _PLAIN_LAYER, _is_data):
        yield BUILT_OF_DATA
    if (
        "__init__(" in text
        and ("nn." in text or not names.isdisjoint(_IMPORTED))
        and _keeps_class(text)
    ):
        yield KEPT_CLASS
    yield from _plain(text, names)


def _keeps_class(text: str) -> bool:
    """Whether what by default is the class of a layer becomes an attribute as it is."""
    return any(
        re.search(rf"\bself\.\w+[ \t]*=[ \t]*{found[1]}[ \t]*(?:#|$)", text, re.MULTILINE)
        for found in _LAYER_BY_DEFAULT.finditer(text)
    )


def _plain(text: str, names: set[str]) -> Iterator[str]:
    """The pseudo-words that patterns tell."""
    if ".forward(" in text and _FORWARD.search(text):
        yield FORWARD
    called = "init." in text or ".apply(" in text
    if (called and _INIT_IDLE.search(text)) or rebinding.may_be_in(text):
        yield INIT_IDLE
    if not names.isdisjoint(_FILLING) and _is_filled(text):
        yield FILLED
    if "Sequential(" in text and _RECURRENT.search(text):
        yield TUPLE_FED
    if "BatchNorm" in text and _any(
        text, _BIASED, lambda _, given, after: "bias" not in given and bool(_NORMED.match(after))
    ):
        yield BIAS_NORMED
    if "nn" in names or not names.isdisjoint(_IMPORTED):
        header = _DEFAULT.match(text)
        given = arguments(text, header.end()) if header else ""
        if _BUILT_ONCE.search(given) or _OF_CLASS.match(text):
            yield SHARED
    if (".weight" in text or ".bias" in text) and _HALF_TIED.search(text):
        yield HALF_TIED
    if has_any(text, _IN_ACTIVATIONS) and _ACTIVATED_TWICE.search(text):
        yield ACTIVATED_TWICE


def _is_older(text: str, appended: re.Match[str]) -> bool:
    """Whether what is appended in a loop stands nowhere in it before, and was made in a call."""
    loops = [found.start() for found in _LOOP.finditer(text, 0, appended.start())]
    name = rf"\b{appended[1]}\b"
    return (
        bool(loops)
        and not re.search(name, text[loops[-1] : appended.start()])
        and re.search(rf"{name}[ \t]*=[ \t]*[\w.]+\(", text[: loops[-1]]) is not None
    )


def _is_filled(text: str) -> bool:
    """Whether weights of linear layers or convolutions, or of several layers, are filled."""
    named = 0
    lines = lines_with(text, _FILLING_MARKS)
    for found in (found for line in lines for found in _FILLED.finditer(text, *line)):
        asked = max(text.rfind(asks, 0, found.start()) for asks in _ASKS)
        if asked < 0:
            named += 1
        elif _LAYER.search(text, asked, found.start()):
            return True
    return named > 1 or (named == 1 and _LOOP.search(text) is not None)


def _follows(text: str) -> bool:
    """Whether an attribute may be computed from a parameter that is made before."""
    made: dict[str, int] = {}
    for parameter in _MADE.finditer(text):
        made.setdefault(parameter[1], parameter.end())
    return any(
        made.get(used[1], given.start()) < given.start()
        for given in _GIVEN.finditer(text)
        for used in _USED.finditer(given[1])
    )


def _any(text: str, pattern: Pattern, test: Callable[[str, str, str], bool]) -> bool:
    """Whether some call passes a test of its name, of what it is given and of what follows."""
    for found in pattern.finditer(text):
        given = arguments(text, found.end())
        end = found.end() + len(given) + 1
        if test(found[1], given, text[end : end + 80]):
            return True
    return False


def arguments(text: str, start: int) -> str:
    """What a call is given, from ``start`` up to the parenthesis that closes it."""
    depth = 1
    for found in _BRACKET.finditer(text, start):
        depth += 1 if found[0] in "([{" else -1
        if not depth:
            return text[start : found.start()]
    return text[start:]


def _is_always_on(name: str, given: str, after: str) -> bool:
    """Whether a call that should be told the mode is not."""
    if name == "batch_norm":
        asked = "training=True" in given or ", True" in given
        return asked and "None, None" not in given
    if name == "scaled_dot_product_attention":
        return _MODE not in given and ("dropout_p" in given or given.count(",") > 3)
    return _MODE not in given and given.count(",") < 4


def _is_list_or_bare(kind: str, given: str, after: str) -> bool:
    """Whether a container may be given a list, a class or a function."""
    given = given.strip()
    if kind == "Sequential" and (given[:1] in {"[", "("} or _NAME.fullmatch(given)):
        return True
    if kind == "ModuleList" and _LAYERS.match(given):
        return True
    for _ in range(given.count("(")):
        given = _INNER.sub("#", given)
    return bool(_BARE.search(given))


def _is_data(kind: str, given: str, after: str) -> bool:
    """Whether what a layer is built of may be a tensor."""
    given = given.strip()
    if kind.startswith("Dropout"):
        return "(" in given or bool(_DATA_AND_RATE.match(given))
    return bool(given) and not _SETTING.match(given)
