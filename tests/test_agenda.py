"""Which classes are looked at by themselves."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from torchlint.analysis.agenda import planned
from torchlint.interpreter.roots import Root
from torchlint.project.index import Index
from torchlint.registry import rules
from torchlint.sources.source import Source

BASE = """
    from torch import nn

    class Base(nn.Module):
        width = 8

        def __init__(self, dim):
            super().__init__()
            self.act = nn.ReLU(inplace=True)

        def forward(self, x):
            x += 1
            return self.finish(x)

        def finish(self, x):
            return self.act(x)

        def reset(self):
            self.act.weight.zero_()
"""


def roots(text: str) -> list[Root]:
    """What runs start from."""
    index = Index([Source("a.py", Path("a.py"), dedent(BASE) + dedent(text))])
    outlines = [index.outline(source) for source in index.speaking_of("torch")]
    asked = [rule for rule in rules().values() if rule.question is not None]
    return [unit for unit in planned(index, outlines, [], asked).units if isinstance(unit, Root)]


def looked_at(text: str) -> list[str]:
    """The classes that runs start from."""
    found = [root.definition for root in roots(text) if root.methods]
    return [each.name for each in found if each is not None and each.is_class]


def test_a_class_that_changes_nothing_of_what_runs_is_seen_in_its_base() -> None:
    for body, alone in (
        ("pass", False),
        ("def reset(self):\n        self.act.weight.fill_(1)", False),
        ("height = 4", False),
        ("def finish(self, x):\n        return x", True),
        ("def __init__(self):\n        super().__init__(3)", True),
    ):
        assert ("Derived" in looked_at(f"\nclass Derived(Base):\n    {body}\n")) is alone


def test_an_attribute_that_what_runs_asks_for_makes_a_class_another() -> None:
    used = "def finish(self, x):\n        return x * self.width\n"
    for name, alone in (("width", True), ("height", False)):
        text = f"\nclass Middle(Base):\n    {used}\nclass Derived(Middle):\n    {name} = 2\n"
        assert ("Derived" in looked_at(text)) is alone


def test_a_class_is_not_looked_at_for_what_another_one_of_its_bases_does() -> None:
    text = """
        class Trained(nn.Module):
            def fit(self, loss):
                loss.backward()

        class Model(Trained):
            def __init__(self):
                super().__init__()

            def forward(self, x):
                return x
        """
    assert looked_at(text) == ["Base"]


def test_what_an_attribute_is_computed_from_itself_counts_in_modules_alone() -> None:
    text = """
        class Layer(Base):
            def rescale(self):
                self.scale = self.scale * 2

        class Store:
            def rescale(self):
                self.scale = self.scale * 2
        """
    names = {root.definition.qualname for root in roots(text) if root.definition is not None}
    assert "Layer.rescale" in names
    assert "Store.rescale" not in names


def test_who_has_a_class_for_an_annotation_alone_does_not_deal_with_its_objects() -> None:
    text = """
        class Trained(nn.Module):
            def fit(self, loss):
                loss.backward()

        class Further(Trained):
            pass

        def describe(model: Trained):
            return model.name

        def tell(model):
            return isinstance(model, Further)

        def train(model: Trained, batch):
            model.fit(batch)

        def train_further(model: Further, batch):
            model.fit(batch)

        def build():
            return Further()
        """
    starts = {root.definition.name for root in roots(text) if root.definition is not None}
    assert starts >= {"train", "train_further", "build"}
    assert starts.isdisjoint({"describe", "tell"})


def test_a_function_is_looked_at_alone_where_nothing_is_asked_of_its_callers() -> None:
    text = """
    def mask(y, kept):
        y[kept][0] = 1

    def train(model, optimizer, x):
        model(x).backward()
        optimizer.step()
    """
    found = {root.definition.name: root.alone for root in roots(text) if root.definition}
    assert (found["mask"], found["train"]) == (True, False)


def test_what_nothing_leads_to_comes_file_by_file() -> None:
    sources = [Source(name, Path(name), dedent(BASE)) for name in ("a.py", "b.py")]
    index = Index(sources)
    asked = [rule for rule in rules().values() if rule.question is not None]
    units = planned(index, [index.outline(source) for source in sources], [], asked).units
    assert [unit.outline.source.path for unit in units][-4:] == ["a.py", "a.py", "b.py", "b.py"]


def test_a_class_is_not_looked_at_for_what_its_decorators_would_do() -> None:
    helper = Source(
        "b.py", Path("b.py"), "import torch\n\ndef wrapped(f):\n    f += 1\n    return f\n"
    )
    text = "import torch\nfrom b import wrapped\n\nclass M(torch.nn.Module):\n    {}\n"
    asked = [rule for rule in rules().values() if rule.question is not None]
    for body, alone in (
        ("@wrapped(1)\n    def forward(self, x):\n        return x", False),
        ("@wrapped(1)\n    def forward(self, x):\n        return wrapped(x)", True),
        ("def forward(self, x):\n        return wrapped(x)", True),
    ):
        index = Index([helper, Source("a.py", Path("a.py"), text.format(body))])
        outlines = [index.outline(source) for source in index.speaking_of("torch")]
        found = planned(index, outlines, [], asked).units
        assert any(isinstance(unit, Root) and unit.methods for unit in found) is alone


def test_methods_are_followed_to_helpers_and_no_farther() -> None:
    text = """
        import torch

        def helper(loss, optimizer):
            loss.backward()
            optimizer.step()

        def around(loss, optimizer):
            helper(loss, optimizer)

        class Agent:
            def learns(self, loss, optimizer):
                helper(loss, optimizer)

            def asks(self, loss, optimizer):
                around(loss, optimizer)
    """
    index = Index([Source("a.py", Path("a.py"), dedent(text))])
    outlines = [index.outline(source) for source in index.speaking_of("torch")]
    asked = [rule for rule in rules().values() if rule.question is not None]
    units = planned(index, outlines, [], asked).units
    found = {unit.definition.name for unit in units if isinstance(unit, Root) and unit.definition}
    assert found == {"helper", "around", "learns"}


def test_a_function_does_not_call_another_of_its_name() -> None:
    ones = "import torch\n\ndef train(model, x):\n    model(x).backward()\n"
    others = "import torch\n\ndef train(model, x):\n    return {}\n"
    asked = [rule for rule in rules().values() if rule.question is not None]
    for given, leads in (("x", False), ("wrapped(a.train)", True)):
        text = others.format(given)
        index = Index([Source("a.py", Path("a.py"), ones), Source("b.py", Path("b.py"), text)])
        outlines = [index.outline(source) for source in index.speaking_of("torch")]
        units = planned(index, outlines, [], asked).units
        starts = {each.outline.source.path for each in units if isinstance(each, Root)}
        assert starts == ({"a.py", "b.py"} if leads else {"a.py"})
