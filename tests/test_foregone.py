"""What is worked out once for all runs, and what is not, because it could differ between them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

from torchlint.interpreter import roots
from torchlint.interpreter.values import FALSE, TRUE, UNKNOWN, Const, Frame, Tuple
from torchlint.project.index import Index
from torchlint.sources.source import Source

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.project.outline import Definition

START = "import logging\nimport torch\nfrom torch import nn\n"


class Project:
    """A file, and what is run of it."""

    def __init__(self, text: str) -> None:
        source = Source("a.py", Path("a.py"), START + dedent(text))
        self.index = Index([source])
        self.outline = self.index.outline(source)

    def named(self, name: str) -> Definition:
        return next(each for each in self.outline.definitions if each.qualname == name)

    def run(self, name: str) -> Machine:
        return roots.interpreted(self.index, roots.Root(self.outline, self.named(name)))

    def concluded(self, name: str) -> list[Any]:
        """What has been found out of the calls of a function."""
        return [found for _, found in self.conclusions(name)]

    def conclusions(self, *names: str) -> list[tuple[Any, Any]]:
        """The calls of some functions, each with what has been found out of it."""
        called = [self.named(name) for name in names]
        found = self.index.foregone.items()
        return [each for each in found if isinstance(each[0], tuple) and each[0][0] in called]


def variable(machine: Machine, name: str) -> Value:
    """A local variable of the function that was run last."""
    frames = [each for each in machine.live.heap.values() if isinstance(each, Frame)]
    (found,) = [frame.names[name] for frame in frames if name in frame.names]
    return found


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("return 3", Const(3)),
        ("return (1, n)", Tuple((Const(1), Const(2)))),
        ("return n == 2", TRUE),
        ("logging.getLogger().debug('x')\n    return False", FALSE),
        ("return SIZE", Const(4)),
        ("return inner(n)", Const(2)),
    ],
)
def test_a_call_with_plain_arguments_is_worked_out_once(body: str, value: Value) -> None:
    project = Project(
        f"SIZE = 4\ndef inner(n):\n    return n\n"
        f"def f(n):\n    {body}\n"
        "def go(x):\n    global seen\n    a = f(2)\n    seen = a\n"
        "def other(x):\n    return f(2)\n"
    )
    first = project.run("other")
    (made,) = project.concluded("f")
    assert made is not None
    assert project.named("f") in first.entered
    assert project.named("f") in project.run("other").entered
    assert project.concluded("f") == [made]
    make, *_ = made
    assert make(first) == value


@pytest.mark.parametrize(
    "body",
    [
        "global SIZE\n    SIZE = n\n    return 3",
        "return nn.Linear(n, n)",
        "return torch.zeros(n).sum()",
        "torch.manual_seed(n)\n    return 3",
        "return KEPT",
        "return MODEL.size",
        "return f(n)",
        "return torch.distributed.get_rank() == 0",
        "return 3\n" + "    return 4\n" * 120,
    ],
)
def test_what_does_something_or_belongs_to_a_run_is_none(body: str) -> None:
    project = Project(
        "SIZE = 4\nKEPT = []\nMODEL = Model()\n"
        "class Model:\n    def __init__(self):\n        self.size = 3\n"
        "def add(x):\n    KEPT.append(x)\n"
        f"def f(n):\n    {body}\n"
        "def other(x):\n    return f(2)\n"
    )
    project.run("other")
    assert project.concluded("f") in ([None], [])


def test_what_rests_on_itself_is_none_wherever_one_begins() -> None:
    text = """
        def f(n):
            return g(n)

        def g(n):
            return f(n) or h(n)

        def h(n):
            return n

        def go_f(x):
            return f(1)

        def go_g(x):
            return g(1)
    """
    for first, second in (("go_f", "go_g"), ("go_g", "go_f")):
        project = Project(text)
        project.run(first)
        project.run(second)
        assert project.concluded("f") == [None]
        assert project.concluded("g") == [None]
        assert project.concluded("h") != [None]


def test_a_function_that_needs_itself_with_other_arguments_is_none_whoever_asks_first() -> None:
    text = """
        def f(path, n):
            return g((*path, n)) if n else h(path)

        def g(path):
            return f((path, path), len(path))

        def h(path):
            return 3

        def go_f(x):
            return f((), 1)

        def go_g(x):
            return g((1, 2))

        def go_h(x):
            return h((1,))
    """
    names = ("go_f", "go_g", "go_h")
    found = []
    for order in (names, names[::-1]):
        project = Project(text)
        for name in order:
            project.run(name)
        found.append({key[2] for key, value in project.conclusions("f", "g") if value is not None})
        assert [value for _, value in project.conclusions("f", "g") if value is None]
        assert any(project.concluded("h"))
    assert found[0] == found[1]


def test_one_is_not_true() -> None:
    project = Project(
        "def f(n):\n    return n\ndef go(x):\n    a = f(1)\n    b = f(True)\n    c = f(1.0)\n"
    )
    project.run("go")
    assert len(project.concluded("f")) == 3


def test_a_list_is_another_one_in_each_run_and_call() -> None:
    project = Project(
        """
        def f():
            return [1, {"a": 2}]

        def go(model):
            first = f()
            second = f()
            first.append(3)
            global one, other
            one = first
            other = second
        """
    )
    machine = project.run("go")
    (made,) = project.concluded("f")
    assert made is not None
    one, other = (machine.get(variable(machine, name)) for name in ("one", "other"))
    assert one is not other
    assert one != other


def test_a_variable_that_the_run_has_set_is_what_it_set() -> None:
    project = Project(
        """
        ON = False

        def is_on():
            return ON

        def go(x):
            global ON, after
            before = is_on()
            ON = True
            after = is_on()
        """
    )
    assert variable(project.run("go"), "after") in (TRUE, UNKNOWN)


def test_what_reads_none_of_the_variables_that_a_run_has_set_is_foregone_still() -> None:
    project = Project(
        """
        ON = False
        SIZE = 4

        def is_on():
            return ON

        def size():
            return SIZE

        def both():
            return is_on(), size()

        def go(x):
            global ON, one, other
            ON = True
            one = size()
            other = both()
        """
    )
    machine = project.run("go")
    (made,) = project.concluded("size")
    assert made is not None
    assert machine.entered == {project.named(name) for name in ("go", "size", "both", "is_on")}
    assert variable(machine, "one") == Const(4)
    assert variable(machine, "other") in (Tuple((TRUE, Const(4))), Tuple((UNKNOWN, Const(4))))
