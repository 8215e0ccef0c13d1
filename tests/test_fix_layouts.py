"""Whatever the layout of what they are offered for, fixes make the one change that they name."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st
from test_edits import assert_changed, calls, edited, is_target, met, sources, suite_of

from torchlint import fixing
from torchlint.interpreter.repairs import Repair
from torchlint.interpreter.values import Spot

IMPORTS = "import copy\nimport torch\n"
IN_PARENTHESES = st.sampled_from(["", " ", "\n ", "  # remark\n\t"])


@st.composite
def programs(draw: st.DrawFn, call: st.SearchStrategy[str] | None = None) -> str:
    """A program with a call of ``target``, and the imports that fixes build upon."""
    text = draw(sources(call) if call is not None else sources())
    return IMPORTS.replace("\n", "\r\n" if "\r\n" in text else "\n") + text


def repaired(text: str, repair: Repair) -> str:
    return edited(text, repair.edits)


def loop_around(module: ast.Module) -> ast.For | ast.While | None:
    """The innermost loop around the target, in the function or class that the target is in."""
    found: ast.For | ast.While | None = None
    node: ast.AST | None = module
    while node is not None:
        if isinstance(node, (ast.For, ast.While)):
            found = node
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found = None
        children = ast.iter_child_nodes(node)
        node = next((one for one in children if any(map(is_target, ast.walk(one)))), None)
    return found


@given(text=programs())
def test_a_state_is_copied(text: str) -> None:
    region, call = met(text)
    repair = fixing.deep_copy(Spot(region, call))()
    assert repair is not None

    class Copied(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            if is_target(node):
                return ast.Call(ast.parse("copy.deepcopy", mode="eval").body, [node], [])
            return self.generic_visit(node)

    def change(module: ast.Module) -> None:
        Copied().visit(module)

    assert_changed(text, repaired(text, repair), change)


@given(
    text=programs(
        st.builds(
            "({}{}.{}data{})".format,
            calls(),
            IN_PARENTHESES,
            st.sampled_from(["", " ", "\n "]),
            st.sampled_from([" + 1", "\n  .max()", "  # remark\n < 2", ".argmax(1)"]),
        )
    )
)
def test_data_is_detached(text: str) -> None:
    region, call = met(text)
    nodes = (node for statement in region.statements for node in ast.walk(statement))
    read = next(one for one in nodes if isinstance(one, ast.Attribute) and one.value is call)
    repair = fixing.detached(Spot(region, read))()
    assert repair is not None

    class Detached(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            self.generic_visit(node)
            if node.attr != "data":
                return node
            return ast.Call(ast.Attribute(node.value, "detach", ast.Load()), [], [])

    def change(module: ast.Module) -> None:
        Detached().visit(module)

    assert_changed(text, repaired(text, repair), change)


@given(text=programs(), trains=st.booleans())
def test_an_evaluation_is_put_under_no_grad(text: str, *, trains: bool) -> None:
    region, call = met(text)
    repair = fixing.evaluated_without_grad(Spot(region, call), trains=trains)()
    if repair is None:
        return

    def change(module: ast.Module) -> None:
        around = ast.parse("with torch.no_grad(): pass").body[0]
        assert isinstance(around, ast.With)
        suite, index = suite_of(module)
        loop = loop_around(module)
        if loop is not None and not trains:
            suite, index = _place_of(module, loop)
        around.body = [suite[index]]
        suite[index] = around

    assert_changed(text, repaired(text, repair), change)


def _place_of(module: ast.Module, statement: ast.stmt) -> tuple[list[ast.stmt], int]:
    for node in ast.walk(module):
        for name in ("body", "orelse", "finalbody"):
            suite = getattr(node, name, [])
            if isinstance(suite, list) and any(one is statement for one in suite):
                return suite, suite.index(statement)
    raise AssertionError(ast.dump(statement))


@given(text=programs(st.just("target(model.eval())")))
def test_the_mode_is_restored_in_each_round(text: str) -> None:
    region, call = met(text)
    switch = call.args[0]
    repair = fixing.train_in_each_round(Spot(region, switch), Spot(region, call))()
    if repair is None:
        return

    def change(module: ast.Module) -> None:
        loop = loop_around(module)
        assert loop is not None
        loop.body.insert(0, ast.parse("model.train()").body[0])

    assert_changed(text, repaired(text, repair), change)


def test_loops_are_found_in_most_layouts() -> None:
    """None is an answer for the odd layout only."""
    for body in ("target(model.eval())", "# remark\n    '''text'''\n    y = target(model.eval())"):
        region, call = met(f"{IMPORTS}for x in y:\n    {body}\n")
        spot = Spot(region, call)
        assert fixing.train_in_each_round(Spot(region, call.args[0]), spot)() is not None
        assert fixing.evaluated_without_grad(spot, trains=False)() is not None
