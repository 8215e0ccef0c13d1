"""What a function or a forward that runs on its own is taken to know, and what not."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from torchlint.interpreter import budgets, roots
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.events.graph import Mutation
from torchlint.interpreter.events.layers import Late
from torchlint.interpreter.machine import Machine
from torchlint.interpreter.values import NONE, Instance
from torchlint.project.index import Index
from torchlint.sources.source import Source


def run(text: str, name: str, *methods: str) -> Machine:
    """What comes of a function, or of methods of a class."""
    source = Source("a.py", Path("a.py"), "from torch import nn\n" + dedent(text))
    index = Index([source])
    outline = index.outline(source)
    (definition,) = [each for each in outline.definitions if each.name == name]
    return roots.interpreted(index, roots.Root(outline, definition, methods))


def test_what_is_called_with_too_much_is_not_entered() -> None:
    text = "def inner(a, b):\n    return a\n\ndef go(x):\n    return inner(x, x{more})\n"
    for more, entered in (("", {"go", "inner"}), (", x", {"go"}), (", *x", {"go", "inner"})):
        machine = run(text.replace("{more}", more), "go")
        assert {each.name for each in machine.entered} == entered


def test_a_layer_that_may_have_been_added_leaves_the_container_open() -> None:
    machine = run(
        """
        def go(flag):
            layers = nn.Sequential()
            if flag:
                layers.add_module("first", nn.ReLU())
            layers.add_module("last", nn.Linear(2, 3))
        """,
        "go",
    )
    records = [each for each in machine.live.heap.values() if isinstance(each, Instance)]
    (container,) = [each for each in records if each.cls == "torch.nn.Sequential"]
    assert sorted(container.attributes) == ["*", "@last"]


def test_a_layer_in_the_place_of_one_of_several_is_not_late() -> None:
    text = """
        class Layer(nn.Module):
            def __init__(self, dim, kind):
                super().__init__()
                self.dim = dim
                BEFORE

            def forward(self, x):
                if x.shape[1] < 4:
                    self.inner = nn.Linear(self.dim, self.dim)
                return self.inner(x)
        """
    several = "self.inner = nn.Linear(dim, dim) if kind else nn.Bilinear(dim, dim, dim)"
    for before, late in ((several, 0), ("self.inner = None", 1)):
        machine = run(text.replace("BEFORE", before), "Layer", "forward")
        assert len(machine.trace.of(Late)) == late


def test_what_a_constructor_calls_is_entered_if_it_fits() -> None:
    text = """
        class Layer(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.first = self.made(dim)
                self.announce(dim)
                self.last = self.made(dim)

            def made(self, dim):
                return nn.Linear(dim, dim)

            def announce(self, dim):
                BODY
                print(dim)

            def forward(self, x):
                self.announce(x)
                return self.last(self.first(x))
        """
    for lines, entered in ((1, True), (300, False)):
        body = "\n                ".join(["print(dim, dim)"] * lines)
        machine = run(
            text.replace("BODY", body).replace("self.announce(x)", ""), "Layer", "forward"
        )
        names = {each.name for each in machine.entered}
        assert ("announce" in names) is entered
        assert {"__init__", "made", "forward"} <= names
    # The forward may take as much as there is.
    machine = run(
        text.replace("BODY", "\n                ".join(["dim = dim"] * 300)), "Layer", "forward"
    )
    assert "announce" in {each.name for each in machine.entered}


def test_the_constructor_of_a_base_is_always_entered() -> None:
    layers = "\n                ".join(f"self.l{n} = nn.Linear(dim, dim)" for n in range(200))
    text = """
        class Base(nn.Module):
            def __init__(self, dim):
                super().__init__()
                LAYERS

        class Layer(Base):
            def __init__(self, dim):
                super().__init__(dim)

            def forward(self, x):
                return self.l0(x)
        """
    machine = run(text.replace("LAYERS", layers), "Layer", "forward")
    records = [each for each in machine.live.heap.values() if isinstance(each, Instance)]
    assert "l0" in {name for each in records for name in each.attributes}


def test_a_method_that_makes_layers_for_the_constructor_is_always_entered() -> None:
    text = """
        class Layer(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.populate(dim)

            def populate(self, dim):
                self.first = MADE
                PRINTS

            def forward(self, x):
                return x
        """
    prints = "\n                ".join(["print(dim, dim)"] * 300)
    for made, entered in (("nn.Linear(dim, dim)", True), ("dim", False)):
        machine = run(text.replace("MADE", made).replace("PRINTS", prints), "Layer", "forward")
        records = [each for each in machine.live.heap.values() if isinstance(each, Instance)]
        assert any("first" in each.attributes for each in records) is entered


def test_what_a_helper_of_a_constructor_builds_is_limited_as_it_is() -> None:
    settings = "\n                ".join(f"self.n{n} = {n}" for n in range(200))
    text = """
        class Settings:
            def __init__(self):
                SETTINGS

        def settings():
            return Settings()

        class Layer(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.settings = settings()
                self.layer = nn.Linear(dim, dim)

            def forward(self, x):
                return self.layer(x)
        """
    machine = run(text.replace("SETTINGS", settings), "Layer", "forward")
    assert {each.qualname for each in machine.entered} == {
        "settings",
        "Layer.__init__",
        "Layer.forward",
    }


def test_what_ran_before_changes_nothing() -> None:
    text = """
        class Layer(nn.Module):
            def __init__(self, name):
                super().__init__()
                self.act = {"a": nn.Sigmoid(), "b": nn.Tanh(), "c": nn.ReLU()}[name]
                self.linear = nn.Linear(4, 4)

            def forward(self, x):
                y = self.act(self.linear(x))
                y[0] = 0
                return y
        """
    found = set()
    for _ in range(9):
        new_address()
        (mutation,) = run(text, "Layer", "forward").trace.of(Mutation)
        found.add(tuple(node.op for node in mutation.keepers))
    assert len(found) == 1
    assert len(*found) == 3


def sizes(text: str, name: str) -> list[object]:
    """What the attribute ``size`` of each object is when a forward has run."""
    heap = run(text, name, "forward").live.heap.values()
    records = [each for each in heap if isinstance(each, Instance)]
    return [each.attributes["size"] for each in records if "size" in each.attributes]


def test_what_a_method_overrides_may_have_told_an_attribute_before() -> None:
    text = """
        class Base(nn.Module):
            def __init__(self):
                super().__init__()
                self.size = None

            def setup(self, size):
                CHANGE

        class Layer(Base):
            def setup(self, size):
                super().setup(size)

            def forward(self, x):
                return x if self.size is None else x + 1
        """
    assert sizes(text.replace("CHANGE", "return size"), "Layer") == [NONE]
    assert NONE not in sizes(text.replace("CHANGE", "self.size = size"), "Layer")


def test_what_holds_an_object_may_have_told_it_before() -> None:
    text = """
        class Inner:
            def __init__(self):
                self.size = None

        class Layer(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def setup(self, size):
                CHANGE

            def forward(self, x):
                return x if self.inner.size is None else x + 1
        """
    assert sizes(text.replace("CHANGE", "return self.inner.size"), "Layer") == [NONE]
    assert NONE not in sizes(text.replace("CHANGE", "self.inner.size = size"), "Layer")


def test_what_a_holder_overrides_may_have_told_it_too() -> None:
    text = """
        class Inner:
            def __init__(self):
                self.size = None

        class Base(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def setup(self, size):
                CHANGE

        class Layer(Base):
            def setup(self, size):
                super().setup(size)

            def forward(self, x):
                return x if self.inner.size is None else x + 1
        """
    assert sizes(text.replace("CHANGE", "return self.inner.size"), "Layer") == [NONE]
    assert NONE not in sizes(text.replace("CHANGE", "self.inner.size = size"), "Layer")


def test_long_calls_that_are_not_about_torch_are_left_out_and_take_from_the_budget() -> None:
    text = """
        def settings(config):
            BODY
            return config

        class Layer(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.config = CONFIG

            def forward(self, x):
                return x, FORWARD
        """
    long, given = "\n    ".join(["config.size = config.size + 1"] * 30), "settings(self.config)"
    for body, config, forward, entered in (
        (long, "settings(config)", "0", False),
        (long, "config", given, False),
        (long, "config", "settings(x)", True),
        (long + "\n    torch.zeros(2)", "settings(config)", "0", True),
        ("pass", "settings(config)", given, True),
    ):
        code = dedent(text).replace("CONFIG", config).replace("FORWARD", forward)
        machine = run(code.replace("BODY", body), "Layer", "forward")
        assert ("settings" in {each.name for each in machine.entered}) is entered, (config, forward)


def test_the_constructor_of_a_dataset_is_entered_however_long_it_is() -> None:
    text = """
        from torch.utils.data import Dataset

        class Rows(Dataset):
            def __init__(self, paths):
                BODY

            def __getitem__(self, index):
                return self.rows[index]
        """
    body = "\n        ".join(["self.rows = [path for path in paths]"] * 30)
    machine = run(dedent(text).replace("BODY", body), "Rows", "__getitem__")
    assert {each.name for each in machine.entered} == {"__init__", "__getitem__"}


def test_a_decorator_takes_nothing_from_what_it_decorates_and_goes_no_further_than_that() -> None:
    text = """
        def documented(function):
            BODY
            note([function])
            return function

        def note(function):
            return function

        @documented
        def inner(x):
            return last(x)

        def last(x):
            return x

        def go(x):
            return inner(x)
        """
    for lines, noted in ((1, {"note"}), (300, set())):
        body = "\n    ".join(["function.__doc__ = str(1) + str(2)"] * lines)
        machine = run(dedent(text).replace("BODY", body), "go")
        assert {each.name for each in machine.entered} == {
            "go",
            "documented",
            "inner",
            "last",
        } | noted


def test_what_is_behind_a_loop_is_entered_though_another_round_would_end_the_run() -> None:
    long = "\n    ".join(["x = x + 1"] * (budgets.NODES // 5))
    text = f"""
def work(x):
    {long}
    return x

def after(x):
    return x

def go(items, x):
    for item in items:
        x = work(x)
    return after(x)
"""
    machine = run(text, "go")
    assert budgets.NODES / 2 < machine.steps < budgets.NODES
    assert {each.name for each in machine.entered} == {"go", "work", "after"}
