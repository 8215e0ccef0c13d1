"""Loading the user's files: what runs, what does not, and what is stood in for."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flagged import write

from torchlint.confirm.runner.loading import Program, load
from torchlint.confirm.runner.protocol import Job, Target
from torchlint.confirm.runner.statements import _names
from torchlint.confirm.runner.taint import TaintedUseError

Open = Callable[..., Program]
NONE: dict[str, str] = {}


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Open]:
    opened: list[Program] = []

    def start(
        text: str, scope: str, name: str = "prog_under_test.py", others: dict[str, str] = NONE
    ) -> Program:
        for other, content in others.items():
            write(tmp_path, content, other)
        file = write(tmp_path, text, name)
        target = Target(str(file), 1, 1, 1, 2)
        opened.append(load(Job("TL101", target, scope, str(tmp_path))))
        return opened[-1]

    yield start
    for item in opened:
        item.close()


def call(program: Program, scope: str, *args: Any) -> Any:
    return program.scope_object(scope)(*args)


def test_only_what_the_scope_needs_runs(program: Open) -> None:
    text = """
        BASE = 2
        FACTOR = BASE + 1
        raise_if_run = 1 / 0
        print("training")
        loss = open("/nonexistent")

        def scaled(x):
            loss = x * FACTOR
            return loss
    """
    loaded = program(text, "scaled")
    assert call(loaded, "scaled", 2) == 6
    assert "raise_if_run" not in loaded.names
    assert "loss" not in loaded.names
    assert loaded.tainted == []


def test_what_fills_an_object_belongs_to_it(program: Open) -> None:
    text = """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--width", type=int, default=7)
        sizes = {}
        sizes["a"] = 3

        def total():
            return args.width + sizes["a"]

        if __name__ == "__main__":
            args = parser.parse_args([])
            total()
    """
    assert call(program(text, "total"), "total") == 10


def test_a_training_loop_never_runs(program: Open) -> None:
    text = """
        best = None
        for step in range(3):
            optimizer.step()
            best = step

        def report():
            return best
    """
    assert call(program(text, "report"), "report") is None


def test_a_failed_statement_poisons_its_name(program: Open) -> None:
    text = """
        rows = open("/nonexistent/data.csv").read()

        def first():
            return rows[0]
    """
    loaded = program(text, "first")
    assert loaded.tainted == []
    with pytest.raises(TaintedUseError, match=r"`rows` could not be computed \(line 2"):
        call(loaded, "first")
    assert "rows" in loaded.tainted[0]


def test_a_missing_package_taints_only_when_used(program: Open) -> None:
    text = """
        import surely_not_installed as missing
        from surely_not_installed.parts import Thing

        def plain():
            return 1

        def using():
            return missing.make(Thing)
    """
    loaded = program(text, "plain")
    assert call(loaded, "plain") == 1
    assert loaded.tainted == []
    call(loaded, "using")
    assert any("surely_not_installed.make" in reason for reason in loaded.tainted)


def test_what_cannot_be_had_may_stand_in_annotations(program: Open) -> None:
    text = """
        from surely_not_installed import A
        B, C = 1 / 0, A.part

        def whole(x: B | A | None, y: int | B = 1, z: None | C = None):
            return y
    """
    loaded = program(text, "whole")
    assert call(loaded, "whole", None) == 1
    assert not [why for why in loaded.tainted if "could not be computed" in why]


def test_a_prepared_import_may_fail(program: Open) -> None:
    text = """
        try:
            import surely_not_installed
        except ImportError:
            surely_not_installed = None

        def has():
            return surely_not_installed is not None
    """
    assert call(program(text, "has"), "has") is False


def test_relative_imports_resolve_under_the_package(program: Open) -> None:
    loaded = program(
        "from .parts import make\nfrom . import CONSTANT\ndef whole(): return make(), CONSTANT\n",
        "whole",
        "pack_a/sub/main.py",
        {
            "pack_a/__init__.py": "",
            "pack_a/sub/__init__.py": "from .parts import *\nCONSTANT = 5\n",
            "pack_a/sub/parts.py": "import sys\ndef make(): return __name__\nsys.exit(1)\n",
        },
    )
    assert call(loaded, "whole") == ("pack_a.sub.parts", 5)


def test_a_folder_is_a_package_if_nothing_else_is(program: Open) -> None:
    """As for Python: what has an ``__init__.py`` anywhere comes before a folder without one."""
    others = {
        ".git/HEAD": "",
        "folder_a/tools/requirements.txt": "",
        "folder_a/inner/deep.py": "def two():\n    return 2\n",
        "folder_a/inner/aside.py": "from folder_a.inner.deep import two\n",
        "yaml/loader.py": "",
    }
    text = """
        import yaml
        from folder_a.inner.aside import two

        def get():
            return two(), hasattr(yaml, "safe_load")
    """
    assert call(program(text, "get", "folder_a/tools/main.py", others), "get") == (2, True)


def test_texts_replace_files(tmp_path: Path) -> None:
    helper = write(tmp_path, "def value(): return 'old'\n", "helper_b.py")
    main = write(
        tmp_path, "from helper_b import value\n\ndef get():\n    return value()\n", "m_b.py"
    )
    texts = {str(helper): "def value(): return 'new'\n"}
    job = Job("TL101", Target(str(main), 1, 1, 1, 2), "get", str(tmp_path), texts=texts)
    loaded = load(job)
    try:
        assert call(loaded, "get") == "new"
    finally:
        loaded.close()
    assert helper.read_text() == "def value(): return 'old'\n"


def test_file_names_that_are_no_identifiers(program: Open) -> None:
    loaded = program("def one():\n    return 1\n", "one", "train-net.py")
    assert call(loaded, "one") == 1


def test_lines_stay_those_of_the_file(program: Open) -> None:
    loaded = program("import os\n\n\n\ndef deep():\n    raise KeyError\n", "deep")
    with pytest.raises(KeyError) as raised:
        call(loaded, "deep")
    last = raised.traceback[-1]
    assert (Path(last.path).name, last.lineno + 1) == ("prog_under_test.py", 6)


def test_future_annotations_stay_in_force(program: Open) -> None:
    text = "from __future__ import annotations\ndef f(x: Undefined) -> None: ...\n"
    assert program(text, "f").scope_object("f").__annotations__["x"] == "Undefined"


def test_of_an_import_only_what_is_needed_is_imported(program: Open) -> None:
    others = {"pkg_d/__init__.py": "", "pkg_d/a.py": "def one():\n    return 1\n\nbad = 1 / 0\n"}
    text = "from pkg_d.a import bad, one\n\ndef get():\n    return one()\n"
    loaded = program(text, "get", "main_d.py", others)
    assert call(loaded, "get") == 1
    assert "bad" not in loaded.names


def test_what_everything_is_imported_from_stays_lazy(program: Open) -> None:
    others = {
        "pkg_e/__init__.py": "from .a import *\nfrom .b import *\n",
        "pkg_e/a.py": "__all__ = ['one', 'two']\none = 1\ntwo = 2\n_three = 3\n",
        "pkg_e/b.py": "def one():\n    return 'b'\n\nbad = open('/nonexistent')\n",
    }
    text = "from pkg_e import *\n\ndef get():\n    return one(), two, len([0])\n"
    loaded = program(text, "get", "main_e.py", others)
    assert call(loaded, "get") == ("b", 2, 1)
    assert "bad" not in loaded.names


def test_a_name_that_goes_round_is_taken_from_where_it_is(program: Open) -> None:
    others = {
        "pkg_h/__init__.py": "from .pool import *\nfrom .old import *\n",
        "pkg_h/pool.py": "def pool():\n    return 'pool'\n",
        "pkg_h/old.py": "from pkg_h import pool\n\ndef old():\n    return pool()\n",
    }
    text = "from pkg_h import old, pool\n\ndef get():\n    return old(), pool()\n"
    assert call(program(text, "get", "main_h.py", others), "get") == ("pool", "pool")


def test_a_package_that_finds_its_names_by_itself(program: Open) -> None:
    told = (
        "from typing import TYPE_CHECKING\nimport sys\n\n"
        "def make_lazy(name):\n    return sys.modules[name]\n\nif TYPE_CHECKING:\n"
    )
    others = {
        "pkg_i/__init__.py": f"{told}    from .a import one\n    from .b import *\n"
        "else:\n    sys.modules[__name__] = make_lazy(__name__)\n",
        "pkg_i/a.py": "def one():\n    return 1\n",
        "pkg_i/b.py": "def two():\n    return 2\n",
        "pkg_i/c.py": "",
        "pkg_j/__init__.py": "def __getattr__(name):\n    return f'{name} is found'\n",
    }
    text = """
        from pkg_i import one, two
        import pkg_i
        from pkg_j import three

        def get():
            return one(), two(), three, hasattr(pkg_i, "surely_not_there"), pkg_i.b.two()
    """
    loaded = program(text, "get", "main_i.py", others)
    assert call(loaded, "get") == (1, 2, "three is found", False, 2)


def test_submodules_are_there_that_a_whole_import_would_have_brought(program: Open) -> None:
    others = {
        "pkg_m/__init__.py": "from pkg_m import helpers\nimport_all(__file__)\n",
        "pkg_m/helpers.py": "def one():\n    return 1\n",
        "pkg_m/nnet/__init__.py": "def two():\n    return 2\n",
    }
    text = """
        import pkg_m as pm
        from pkg_m import helpers

        def get():
            return helpers.one(), pm.nnet.two(), hasattr(pm, "surely_not_there")
    """
    assert call(program(text, "get", "main_m.py", others), "get") == (1, 2, False)


def test_nothing_stands_in_for_a_module_of_the_project(program: Open) -> None:
    others = {"pkg_k/__init__.py": "", "pkg_k/a.py": ""}
    text = """
        try:
            from pkg_k import surely_not_there
        except ImportError:
            surely_not_there = None
        import pkg_k.a

        def get():
            import importlib

            try:
                return importlib.import_module("pkg_k.neither")
            except ImportError:
                return surely_not_there
    """
    assert call(program(text, "get", "main_k.py", others), "get") is None


def test_annotations_of_a_base_are_there_for_those_who_read_them(program: Open) -> None:
    others = {
        "base_l.py": "from __future__ import annotations\nfrom helper_l import Kept\n\n"
        "class Base:\n    kept: Kept | None = None\n",
        "helper_l.py": "class Kept:\n    pass\n",
    }
    text = """
        from typing import get_type_hints

        from base_l import Base

        class Derived(Base):
            pass

        def get():
            return sorted(get_type_hints(Derived))
    """
    assert call(program(text, "get", "main_l.py", others), "get") == ["kept"]


def test_names_that_hide_built_in_ones(program: Open) -> None:
    text = "from helper_f import *\n\ndef get():\n    return len('abc')\n"
    others = {"helper_f.py": "def len(text):\n    return 'mine'\n"}
    assert call(program(text, "get", "main_f.py", others), "get") == "mine"


def test_a_function_and_its_submodule_have_one_name(program: Open) -> None:
    others = {
        "pkg_g/__init__.py": "from .tool import tool\nfrom .other import other\n",
        "pkg_g/tool.py": "def tool():\n    return 'tool'\n",
        "pkg_g/other.py": "from .tool import tool\n\ndef other():\n    return tool()\n",
    }
    text = "from pkg_g import other, tool\n\ndef get():\n    return other(), tool()\n"
    assert call(program(text, "get", "main_g.py", others), "get") == ("tool", "tool")


def test_definitions_enter_themselves_into_a_registry(program: Open) -> None:
    text = """
        import functools

        class Registry(dict):
            def entry(self, name):
                return lambda function: self.setdefault(name, function)

        KNOWN = Registry()

        @KNOWN.entry("one")
        def first():
            return 1

        @functools.cache
        def unrelated():
            return 2

        def get():
            return KNOWN["one"](), functools.reduce(max, [1, 2])
    """
    loaded = program(text, "get")
    assert call(loaded, "get") == (1, 2)
    assert "unrelated" not in loaded.names


def test_modules_that_import_each_other(program: Open) -> None:
    others = {
        "pkg_h/__init__.py": "from .a import A\nfrom .b import B\n",
        "pkg_h/a.py": "from . import b\nfrom .b import SIZE\n\nclass A(b.Base):\n    size = SIZE\n",
        "pkg_h/b.py": "from .a import A\nSIZE = 3\n\nclass Base: ...\n\nclass B:\n    kind = A\n",
    }
    text = "from pkg_h import A, B\n\ndef get():\n    return A.size, B.kind is A\n"
    assert call(program(text, "get", "main_h.py", others), "get") == (3, True)


def test_what_looks_through_all_names_finds_all(program: Open) -> None:
    others = {"kinds_i.py": "class A: ...\n\nclass B: ...\n\nclass _C: ...\n"}
    text = """
        import kinds_i

        def mine():
            return 1

        def names():
            known = {name for name in vars(kinds_i) if name in ("A", "B")}
            return known, "mine" in globals()
    """
    assert call(program(text, "names", "main_i.py", others), "names") == ({"A", "B"}, True)


def test_what_looks_through_a_package_finds_classes_named_as_their_files(program: Open) -> None:
    others = {
        "pkg_p/__init__.py": "from .vgg import *\nfrom .resnet import *\n",
        "pkg_p/vgg.py": "__all__ = ['vgg']\n\nclass vgg: ...\n",
        "pkg_p/resnet.py": "__all__ = ['resnet']\n\nclass resnet: ...\n",
    }
    text = """
        import pkg_p as models

        def made():
            return [type(models.__dict__[name]()).__name__ for name in ("vgg", "resnet")]
    """
    assert call(program(text, "made", "main_p.py", others), "made") == ["vgg", "resnet"]


def test_a_method_hides_no_function_from_its_class(program: Open) -> None:
    text = """
        class Reader:
            def parse(self, text):
                return parse(text)

        def parse(text):
            return text + "!"
    """
    assert program(text, "Reader").scope_object("Reader")().parse("a") == "a!"


def test_names_are_those_that_dis_tells() -> None:
    """Also beyond the first 255 of a file."""
    many = "\n".join(f"name_{number} = other_{number}" for number in range(400))
    text = f"{many}\ndef f(a):\n    global g\n    g = a.b\n    return lambda: h(name_3, a)\n"
    for code in (
        compile(text, "many.py", "exec"),
        compile(Path(__file__).read_text(), "a", "exec"),
    ):
        binds, reads = _names(code)
        told = [*dis.get_instructions(code)]
        stored = {each.argval for each in told if each.opname in ("STORE_NAME", "STORE_GLOBAL")}
        loaded = {each.argval for each in told if each.opname in ("LOAD_NAME", "LOAD_GLOBAL")}
        assert binds == stored
        assert reads >= loaded
    assert _names(compile(text, "many.py", "exec"))[1] >= {"h", "name_3", "other_399"}
