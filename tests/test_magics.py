"""What IPython reads beside Python goes, and all else stays in its line and column."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchlint.sources.magics import python


@pytest.mark.parametrize(
    ("cell", "code", "others"),
    [
        ("x = 1\n", "x = 1\n", set()),
        ("%matplotlib inline\nimport torch", "pass\nimport torch", {0}),
        ("import torch\n!nvidia-smi\nx = 1", "import torch\npass\nx = 1", {1}),
        ("if x:\n    !ls\n    %cd ..\ny", "if x:\n    pass\n    pass\ny", {1, 2}),
        ("!pip install torch \\\n    numpy\nx", "pass\n\nx", {0, 1}),
        ("model?\n?model\nmodel.fit??\nx", "pass\npass\npass\nx", {0, 1, 2}),
        ("torch.nn.Linear? \nx", "pass\nx", {0}),
        ("/f x\n,f a b\n;f a b", "pass\npass\npass", {0, 1, 2}),
        ("files = !ls\nx", "files = get_ipython()\nx", {0}),
        ("a, b = !ls\n", "a, b = get_ipython()\n", {0}),
        ("t = %timeit -o f()\n", "t = get_ipython()\n", {0}),
        ("out = %time f(x)\n", "out =       f(x)\n", {0}),
        ("%time f(\n  x)\ny", "if 1: f(\n  x)\ny", {0}),
        ("%time\nx", "pass\nx", {0}),
        ("%time for x in y: f(x)\n", "pass\n", {0}),
        ("%%time\nx = 1\n%cd ..", "\nx = 1\npass", {0, 2}),
        ("%%capture --no-stderr out\nx = 1", "\nx = 1", {0}),
        ("\n%%time\nx = 1", "\n\nx = 1", {1}),
        ("x = 1\n%%time\ny = 1", "x = 1\npass\ny = 1", {1}),
        ("%load_ext autoreload # torch", "pass", {0}),
        ("", "", set()),
    ],
)
def test_what_is_not_python_goes(cell: str, code: str, others: set[int]) -> None:
    assert python(cell) == (code, others)
    ast.parse(code)


@pytest.mark.parametrize(
    "cell", ["%%bash\nls", "%%html\n<b>", "%%writefile a.py\nx = 1", "%%sql\nselect 1", "%%bash"]
)
def test_cells_of_other_languages_are_none(cell: str) -> None:
    assert python(cell) is None


@given(st.text(st.sampled_from("%!?=/x1 .,;()'\"\\#\n\t:"), max_size=30), st.booleans())
def test_no_line_moves(cell: str, automatic: bool) -> None:
    found = python(cell, automatic=automatic)
    if found is not None:
        old, new = cell.split("\n"), found[0].split("\n")
        assert len(new) == len(old)
        assert all(old[row] == new[row] for row in range(len(old)) if row not in found[1])


@pytest.mark.parametrize(
    "cell",
    [
        'text = """\n%matplotlib inline\n!ls\nwhat?\n"""\n',
        "x = (a\n% b\n  )\n",
        "x = [\n    '''\n!ls''',\n]\n",
        "x = a \\\n% b\n",
        "y = 'a?'\n# really?\nz = 1 # ok?\n",
        "x = '%d' % y\ny != z\nprint('x = %s' % x)\ns = 'a=%b'\n",
        "x = {'a': 1,\n     'b': '!'}\n",
        'f"{x!r}"\nx = f"{y!s}"\n',
        "'''a\\'''\n!ls'''\n",
    ],
)
def test_python_stays(cell: str) -> None:
    assert python(cell) == (cell, frozenset())
    ast.parse(cell)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("pip install torch\nx = 1", "pass\nx = 1"),
        ("cd ..\nls", "pass\npass"),
        ("ls = 1\nrun(x)\ncat  = 2\nmore + 1\n", "ls = 1\nrun(x)\ncat  = 2\nmore + 1\n"),
        ("load_ext autoreload\nautoreload 2", "pass\npass"),
    ],
)
def test_commands_without_a_sign(cell: str, code: str) -> None:
    found = python(cell, automatic=True)
    assert found is not None
    assert found[0] == code
