"""A sketch holds all of an outline but its text."""

from pathlib import Path
from typing import Any

import pytest
from cases import FIXTURES, ROOT

from torchlint.project.outline import Alias, Definition, Import, Outline
from torchlint.project.regions import Region
from torchlint.project.sketches import outlined, sketch
from torchlint.sources.source import Source

FILES = [
    *sorted((ROOT / "torchlint").rglob("*.py"))[::12],
    *sorted(FIXTURES.rglob("silent_*.py"))[::20],
]
AWKWARD = '''\
"""Doc."""
from . import *; import a.b as c, d.e
from ..x import y as z
import torch; nn = torch.nn
a = b = 1
(p, [q]) = 1, (2,)
a += 2
@deco
class A(nn.Module, Generic[T], metaclass=M):
    """Doc."""
    x: int = 1; y = 2
    if True:
        def f(self): return self.g()
    else:
        def f(self):
            """Doc."""
            # A comment.
            return 1
    @property
    def v(self): ...
    @v.setter
    def v(self, it): ...
    class B:
        def g(self, x=\u00e9\u4e2d): pass
try:
    import e
except ImportError:
    e = None
for i in range(3): j = i
with open("f") as g: pass
async def h(): await x
def h(): x.relu_()
'''


def plain(what: Any) -> Any:
    """What an object holds, in plain data."""
    match what:
        case Region():
            return what.first, what.last, what.indent, what.scope, what.docstring
        case Definition():
            inner = {name: plain(each) for name, each in what.members.items()}
            outer = what.nested_in and what.nested_in.qualname
            regions = {name: plain(each) for name, each in what.assignments.items()}
            bases = what.bases
            return what.name, what.qualname, what.is_class, bases, inner, regions, outer
        case Alias():
            return what.dotted, plain(what.region)
        case Import():
            return what
        case list():
            return list(map(plain, what))
        case dict():
            return [(name, plain(each)) for name, each in what.items()]
    raise TypeError(what)


def held(outline: Outline) -> list[Any]:
    regions = [each.region for each in outline.definitions if not each.is_class]
    regions += outline.statements
    bound, defined = plain(outline.bindings), plain(outline.definitions)
    words = [outline.words_of(region) for region in regions]
    bound += plain(outline.redefined)
    return [outline.text, bound, defined, plain(outline.stars), plain(outline.statements), words]


def hold(text: str) -> None:
    source = Source("a.py", Path("a.py"), text)
    outline = Outline(source)
    again = outlined(source, sketch(outline))
    assert held(again) == held(outline)
    assert sketch(again) == sketch(outline)
    assert all(definition.outline is again for definition in again.definitions)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_outline_is_made_again_from_its_sketch(file: Path) -> None:
    hold(file.read_text("utf-8-sig"))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_whatever_stands_in_the_file(newline: str) -> None:
    hold(AWKWARD.replace("\n", newline))
    hold("")


def test_only_the_words_that_are_looked_for_are_kept() -> None:
    source = Source("a.py", Path("a.py"), "def f(x):\n    return x.softmax(1) + x.relu()\n")
    again = outlined(source, sketch(Outline(source)))
    again.expect(frozenset({"softmax()", "other"}))
    assert again.words_of(again.definitions[0].region) == {"softmax()"}
