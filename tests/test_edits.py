"""Whatever the layout, an edit makes the one change that it is for, and keeps all comments."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import libcst as cst
from hypothesis import assume, given, note
from hypothesis import strategies as st

from torchlint.applying.changes import apply
from torchlint.findings import Edit
from torchlint.fixing import edits, tree
from torchlint.fixing.written import Written, site
from torchlint.interpreter.values import Spot
from torchlint.project.outline import Outline
from torchlint.project.regions import Region
from torchlint.sources.source import Source

ARGUMENTS = ["x", "(y, 2)", "k=1", "j=(0)", "*z", "**w", '"""a\n  b"""', "[i for i in x]"]
GAPS = ["", " ", "\n      ", "  # remark\n\t", "\n# remark\n    "]
STATEMENTS = [
    "CALL",
    "y = CALL + 1",
    "(y) = (CALL)",
    "x[CALL] += '''a\n  b\n''' + f(\n  # remark\n  1)",
    "y = 1; CALL",
    "CALL; y = 1",
    "CALL;",
    "y = 1; \\\n  CALL",
    "y = 1 + \\\n  CALL",
    "if x: CALL",
    "if x: \\\n  CALL",
    "if x: y = 1; CALL",
    "if x: CALL  # remark\nelse: y = 1",
    "if x: y = 1\nelse: CALL",
    "if x: y = 1\nelif CALL: y = 2\nelse: y = 3",
    "if x:\nINDENTy = 1\nelif y:\nINDENTCALL\n# remark\nelse:\nINDENTy = 3",
    "for i in CALL:\nINDENTy = i\nINDENTy = '''\n a'''",
    "while x:\nINDENT# remark\n\nINDENTCALL\nINDENT# remark",
    "while x: CALL",
    "try: CALL\nexcept E: y = 1\nfinally: y = 2",
    "try: y = 1\nexcept E: CALL\nelse: y = 2",
    "try:\nINDENTy = 1\nfinally:\nINDENTCALL",
    "@CALL\ndef g():\nINDENTpass",
    "@decorator\n# remark\ndef g(a=CALL): pass",
    "def g(a): CALL",
    "class A(CALL): pass",
    "match x:\nINDENTcase 1: CALL\nINDENTcase _:\nINDENTINDENTy = 1",
    "with a as b, CALL as c: y = 1",
    "f = lambda: CALL",
    "y = f'{CALL}'",
    "y = [CALL for CALL2 in x if x]",
]
OUTER = ["BODY", "def f(x):\nBODY", "class A:\nINDENTdef f(self, x):\nBODY", "for x in y:\nBODY"]
NEIGHBOURS = ["", "# remark", "z = 1", "z = 1  # remark", '"""text"""']


def deeper(text: str, unit: str) -> str:
    return "\n".join(unit + line if line.strip() else line for line in text.split("\n"))


@st.composite
def calls(draw: st.DrawFn, name: str = "target") -> str:
    """A call, laid out in some way."""
    arguments = draw(st.lists(st.sampled_from(ARGUMENTS), max_size=3, unique=True))
    text = ""
    for index, argument in enumerate(arguments):
        comma = index < len(arguments) - 1 or draw(st.booleans())
        text += draw(st.sampled_from(GAPS)) + argument
        text += (draw(st.sampled_from(["", " "])) + ",") * comma
    return f"{name}({text}{draw(st.sampled_from(GAPS))})"


CALLS = calls()


@st.composite
def sources(draw: st.DrawFn, call: st.SearchStrategy[str] = CALLS) -> str:
    """A program with a call of ``target``."""
    unit = draw(st.sampled_from(["  ", "    ", "\t"]))
    body = draw(st.sampled_from(STATEMENTS)).replace("CALL2", "y")
    before, after = draw(st.sampled_from(NEIGHBOURS)), draw(st.sampled_from(NEIGHBOURS))
    body = "\n".join([before, body, after]).replace("INDENT", unit)
    outer = draw(st.sampled_from(OUTER)).replace("INDENT", unit)
    # At the top level each statement is a region, and a region is whole lines.
    assume(outer != "BODY" or "; \\" not in body)
    if outer != "BODY":
        body = deeper(body, unit + unit * outer.startswith("class"))
    text = outer.replace("BODY", body).replace("CALL", draw(call)) + "\n"
    try:
        ast.parse(text)
    except SyntaxError:
        assume(False)
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def found(text: str) -> tuple[Written, cst.Call]:
    """The call of ``target`` as it is written."""
    there = site(Spot(*met(text)))
    assert isinstance(there.node, cst.Call)
    return there.region, there.node


def met(text: str) -> tuple[Region, ast.Call]:
    """The call of ``target``, in the region that the interpreter would meet it in."""
    outline = Outline(Source("program.py", Path("program.py"), text))
    functions = [item.region for item in reversed(outline.definitions) if not item.is_class]
    for region in (*functions, *(item.region for item in outline.definitions), *outline.statements):
        for statement in region.statements:
            for node in ast.walk(statement):
                match node:
                    case ast.Call(func=ast.Name(id="target")):
                        return region, node
    raise AssertionError(text)


def edited(text: str, made: edits.Edits) -> str:
    """The text with the edits made; what no edit touches is as it was."""
    note(text)
    changed = apply(text, [Edit(place, new) for place, new in made])
    note(changed)
    assert ("\r\n" in text) == ("\r\n" in changed) or "\n" not in changed
    assert changed.count("\n") == changed.count("\r\n") or "\r\n" not in text
    assert remarks(changed) == remarks(text)
    return changed


def remarks(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text, newline=None).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def assert_changed(text: str, changed: str, change: Callable[[ast.Module], None]) -> None:
    due = ast.parse(text)
    change(due)
    assert ast.dump(ast.parse(changed)) == ast.dump(due)


def is_target(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "target"


def target_of(module: ast.Module) -> ast.Call:
    return next(node for node in ast.walk(module) if isinstance(node, ast.Call) and is_target(node))


def suite_of(module: ast.Module) -> tuple[list[ast.stmt], int]:
    """The list that the innermost statement with the target stands in, and where in it."""
    holder: tuple[list[ast.stmt], int] | None = None
    pending: list[ast.AST] = [module]
    while pending:
        node = pending.pop()
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            suite = getattr(node, name, [])
            for index, item in enumerate(suite if isinstance(suite, list) else []):
                if not any(is_target(inner) for inner in ast.walk(item)):
                    continue
                pending = [item]
                is_elif = name == "orelse" and isinstance(item, ast.If)
                if isinstance(item, ast.stmt) and not is_elif:
                    holder = suite, index
    assert holder is not None
    return holder


LINE = ast.parse("inserted()").body[0]


@given(text=sources())
def test_a_statement_is_inserted_before(text: str) -> None:
    region, call = found(text)
    made = edits.inserted_before(region, call, "inserted()")
    if made is None:
        return

    def change(module: ast.Module) -> None:
        suite, index = suite_of(module)
        suite.insert(index, LINE)

    assert_changed(text, edited(text, made), change)


@given(text=sources())
def test_a_statement_is_inserted_after(text: str) -> None:
    region, call = found(text)
    made = edits.inserted_after(region, call, "inserted()")
    if made is None:
        return

    def change(module: ast.Module) -> None:
        suite, index = suite_of(module)
        suite.insert(index + 1, LINE)

    assert_changed(text, edited(text, made), change)


@given(text=sources())
def test_a_statement_is_wrapped(text: str) -> None:
    region, call = found(text)
    made = edits.wrapped(region, call, "with manager()")
    if made is None:
        return

    def change(module: ast.Module) -> None:
        suite, index = suite_of(module)
        around = ast.parse("with manager(): pass").body[0]
        assert isinstance(around, ast.With)
        around.body = [suite[index]]
        suite[index] = around

    assert_changed(text, edited(text, made), change)


@given(text=sources())
def test_an_argument_is_added(text: str) -> None:
    region, call = found(text)
    made = edits.with_argument(region, call, "new=1")
    assert made is not None

    def change(module: ast.Module) -> None:
        keywords = target_of(module).keywords
        keywords.append(ast.keyword("new", ast.Constant(1)))

    assert_changed(text, edited(text, made), change)


@given(text=sources(), which=st.integers(0, 2))
def test_an_argument_is_taken_out(text: str, which: int) -> None:
    region, call = found(text)
    assume(which < len(call.args))
    argument = call.args[which]
    made = edits.without_argument(region, call, argument)
    if made is None:
        return
    gone = ast.dump(ast.parse(f"f({text_of(region, argument)})", mode="eval"))

    def change(module: ast.Module) -> None:
        node = target_of(module)
        of = [*node.args, *node.keywords]
        for item in of:
            alone = ast.Expression(ast.Call(ast.Name("f", ast.Load()), [], []))
            inner = alone.body
            assert isinstance(inner, ast.Call)
            (inner.keywords if isinstance(item, ast.keyword) else inner.args).append(item)  # type: ignore[arg-type]
            if ast.dump(alone) == gone:
                (node.keywords if isinstance(item, ast.keyword) else node.args).remove(item)  # type: ignore[arg-type]
                return
        raise AssertionError(gone)

    assert_changed(text, edited(text, made), change)


def text_of(region: Region, argument: cst.Arg) -> str:
    bare = argument.with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return cst.Module([]).code_for_node(bare)


@given(
    text=sources(
        st.builds("(target(x){}.method{})".format, st.sampled_from(["", " ", "\n "]), calls(""))
    ),
)
def test_a_call_is_taken_off(text: str) -> None:
    region, inner = found(text)
    attribute = tree.parent(region, inner)
    outer = tree.parent(region, attribute) if attribute is not None else None
    assert isinstance(outer, cst.Call)
    assume("remark" not in region.source_of(outer))
    made = edits.without_call(region, outer)
    assert made is not None

    class Off(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            method = isinstance(node.func, ast.Attribute) and node.func.attr == "method"
            if method and isinstance(node.func, ast.Attribute):
                return node.func.value
            return self.generic_visit(node)

    def change(module: ast.Module) -> None:
        Off().visit(module)

    assert_changed(text, edited(text, made), change)


def test_most_layouts_can_be_edited() -> None:
    """None is an answer for the odd layout only."""
    for body in STATEMENTS:
        text = body.replace("CALL2", "y").replace("CALL", "target(x)").replace("INDENT", "    ")
        region, call = found(f"def f():\n{deeper(text, '    ')}\n")
        made = [
            edits.inserted_before(region, call, "inserted()"),
            edits.inserted_after(region, call, "inserted()"),
            edits.wrapped(region, call, "with manager()"),
        ]
        assert made.count(None) <= (1 if "; " in body or "\\" in body else 0), body
