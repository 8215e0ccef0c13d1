"""Configuration files: which counts, what they may say, and what is said of their mistakes."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft7Validator

from torchlint import __version__
from torchlint.cli import command
from torchlint.config import schema
from torchlint.config.options import OPTIONS, SELECTION
from torchlint.settings import Settings

# What gives a pedantic finding, and what Python refuses.
UNUSED = "import torch\nx = 1  # torchlint: ignore[TL001]\n"
BROKEN = "import torch\nx = = 1\n"

Tree = Callable[..., None]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Makes files in the working directory."""
    monkeypatch.chdir(tmp_path)

    def make(texts: dict[str, str]) -> None:
        for path, text in texts.items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(text, "utf-8")

    return make


def run(*arguments: str, **env: str) -> Result:
    result = CliRunner().invoke(command, ["--output-format", "concise", *arguments], env=env)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def found(*arguments: str, **env: str) -> list[str]:
    """File and code of what is found."""
    result = run(*arguments, **env)
    assert result.exit_code < 2, result.stderr
    lines = result.stdout.splitlines()
    return [f"{line.partition(':')[0]} {line.split()[1]}" for line in lines]


def refusal(*arguments: str, **env: str) -> str:
    """The only sentence that a run is refused with."""
    result = run(*arguments, **env)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line.removeprefix("torchlint: error: ")


@pytest.mark.skipif(os.name == "nt", reason="the folder is another one there")
class TestOfTheUser:
    @pytest.fixture
    def own(self, tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """The file of the user's, which ignores TL001; the run is in another folder."""
        tree({"home/torchlint/torchlint.toml": 'ignore = ["TL001"]\n', "work/a.py": BROKEN})
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
        monkeypatch.chdir("work")
        return tmp_path / "home/torchlint/torchlint.toml"

    def test_it_holds_where_no_other_does(self, own: Path) -> None:
        assert found() == []
        assert found("--isolated") == ["a.py TL001"]
        Path("torchlint.toml").write_text("")
        assert found() == ["a.py TL001"]

    def test_it_is_in_the_usual_folder(self, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        own.parents[1].rename(own.parents[2] / ".config")
        monkeypatch.delenv("XDG_CONFIG_HOME")
        monkeypatch.setenv("HOME", str(own.parents[2]))
        assert found() == []
        monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
        assert found() == ["a.py TL001"]

    def test_its_paths_are_those_of_the_run(self, own: Path) -> None:
        own.write_text('exclude = ["/a.py"]\nextend = "base.toml"\n')
        (own.parent / "base.toml").write_text('src = ["."]\n')
        assert found(".") == []
        own.write_text('exclude = ["/b.py"]\n')
        assert found(".") == ["a.py TL001"]

    def test_it_is_named(self, own: Path) -> None:
        assert "# .: ../home/torchlint/torchlint.toml" in run("--show-settings").stdout
        own.write_text("ignores = 1\n")
        said = "there is no option ignores; did you mean ignore?"
        assert refusal() == f"../home/torchlint/torchlint.toml:1: {said}"


class TestClosest:
    @pytest.mark.parametrize(
        ("name", "header"),
        [
            ("pyproject.toml", "[tool.torchlint]\n"),
            ("torchlint.toml", ""),
            (".torchlint.toml", ""),
        ],
    )
    def test_a_file_configures_its_folder(self, tree: Tree, name: str, header: str) -> None:
        tree({"pkg/a.py": BROKEN, "pkg/deep/b.py": BROKEN, "c.py": BROKEN})
        tree({f"pkg/{name}": f'{header}ignore = ["TL001"]\n'})
        assert found(".") == ["c.py TL001"]
        assert found("pkg/deep/b.py") == []

    def test_the_closest_alone_counts(self, tree: Tree) -> None:
        tree({"a.py": UNUSED, "pkg/b.py": UNUSED, "torchlint.toml": 'level = "pedantic"\n'})
        tree({"pkg/torchlint.toml": 'select = ["TL3"]\n'})
        assert found() == ["a.py TL002"]

    def test_torchlint_toml_comes_before_pyproject(self, tree: Tree) -> None:
        tree({"a.py": BROKEN, "torchlint.toml": 'ignore = ["TL001"]\n'})
        tree({"pyproject.toml": "[tool.torchlint]\n"})
        assert found() == []

    def test_a_pyproject_of_others_is_none(self, tree: Tree) -> None:
        tree({"torchlint.toml": 'ignore = ["TL001"]\n', "pkg/a.py": BROKEN})
        tree({"pkg/pyproject.toml": '[project]\nname = "torchlint-user"\n'})
        assert found() == []

    def test_a_pyproject_that_is_broken_for_others_is_none(self, tree: Tree) -> None:
        tree({"a.py": BROKEN, "pyproject.toml": "[project\n# torchlint\n"})
        assert found() == ["a.py TL001"]

    def test_isolated(self, tree: Tree) -> None:
        tree({"a.py": BROKEN, "torchlint.toml": 'ignore = ["TL001"]\n'})
        assert found("--isolated") == ["a.py TL001"]

    def test_a_named_file_takes_the_place_of_all(self, tree: Tree) -> None:
        tree({"a.py": BROKEN, "torchlint.toml": "", "ci/lint.toml": 'ignore = ["TL001"]\n'})
        assert found("--config", "ci/lint.toml") == []

    def test_standard_input_has_the_configuration_of_its_name(self, tree: Tree) -> None:
        tree({"pkg/torchlint.toml": 'ignore = ["TL001"]\n'})
        arguments = ["--output-format", "concise", "-", "--stdin-filename"]
        for name, status in (("pkg/a.py", 0), ("a.py", 1)):
            result = CliRunner().invoke(command, [*arguments, name], input=BROKEN)
            assert result.exit_code == status


class TestExtend:
    def test_what_is_extended_is_changed_and_added_to(self, tree: Tree) -> None:
        tree({"pkg/a.py": UNUSED, "pkg/b.py": BROKEN, "pkg/c.py": BROKEN})
        tree({"base.toml": 'level = "pedantic"\nextend-exclude = ["pkg/c.py"]\n'})
        tree({"pkg/torchlint.toml": 'extend = "../base.toml"\nextend-exclude = ["b.py"]\n'})
        assert found() == ["pkg/a.py TL002"]

    def test_a_select_begins_anew(self, tree: Tree) -> None:
        tree({"pkg/b.py": BROKEN, "base.toml": 'ignore = ["TL001"]\n'})
        tree({"pkg/torchlint.toml": 'extend = "../base.toml"\nselect = ["TL0"]\n'})
        assert found() == ["pkg/b.py TL001"]

    def test_a_pyproject_can_be_extended(self, tree: Tree) -> None:
        tree({"pyproject.toml": '[project]\n[tool.torchlint]\nlevel = "pedantic"\n'})
        tree({"pkg/torchlint.toml": '\ufeffextend = "../pyproject.toml"\n', "pkg/a.py": UNUSED})
        assert found() == ["pkg/a.py TL002"]
        lines = run("--show-settings", "pkg").stdout.splitlines()
        assert 'level = "pedantic"  # pyproject.toml:3' in lines

    def test_a_circle(self, tree: Tree) -> None:
        tree({"a.py": "", "a.toml": 'extend = "torchlint.toml"\n'})
        tree({"torchlint.toml": '\nextend = "a.toml"\n'})
        assert refusal() == "a.toml:1: extend leads back to torchlint.toml."

    def test_what_is_not_there(self, tree: Tree) -> None:
        tree({"a.py": "", "pyproject.toml": '[tool.torchlint]\nextend = "b.toml"\n'})
        assert "pyproject.toml:2: extend: 'b.toml' does not exist" in refusal()
        tree({"pyproject.toml": "[tool.torchlint]\nextend = 3\n"})
        assert refusal() == "pyproject.toml:2: extend must be the path of a file."


MISTAKES = [
    ("selct = []", "there is no option selct; did you mean select?"),
    ("zzzz = []", f"there is no option zzzz; there are {', '.join(OPTIONS)}."),
    (
        "per_file_ignores = {}",
        "there is no option per_file_ignores; did you mean per-file",
    ),
    ('select = "TL1"', 'select must be a list of rules, not "TL1".'),
    ("select = [1]", "select must be a code, prefix, name, level or ALL, not 1."),
    ('ignore = ["TL0001"]', "'TL0001' in ignore is no rule"),
    (
        'level = "high"',
        'level must be "correctness", "suspicious", "performance" or "pedantic"',
    ),
    ("level = 1", "level must be"),
    ("max-warnings = -1", "max-warnings must be a number from 0, not -1."),
    ("max-warnings = true", "max-warnings must be a number from 0, not true."),
    ('force-exclude = "yes"', 'force-exclude must be true or false, not "yes".'),
    ('torch-version = "new"', "torch-version: 'new' is no version or range of versions, such as"),
    ("torch-version = 2.1", "torch-version must be a version or range"),
    ('src = ["gone"]', "src: 'gone' does not exist"),
    ('exclude = [""]', 'exclude must be a pattern of paths, not "".'),
    ('severity = {TL001 = "grave"}', 'severity."TL001" must be "error", "warning" or "note", not'),
    ('severity = {TL0001 = "error"}', "'TL0001' in severity is no rule"),
    (
        'per-file-ignores = ["a"]',
        "per-file-ignores must be a table from patterns of paths to",
    ),
    (
        'per-file-ignores = {"a" = "TL1"}',
        'per-file-ignores."a" must be a list of rules, not "TL1".',
    ),
    ('output-format = "poetry"', 'output-format must be "azure", "concise"'),
    ("select = [", "this is not TOML: Invalid value"),
]

BEYOND_THE_SCHEMA = [
    ('exclude = ["[z-a]"]', 'exclude must be a pattern of paths, not "[z-a]".'),
    ("extend-include = ['a\\']", 'extend-include must be a pattern of paths, not "a\\\\".'),
    ('cache-dir = "a.py"', "cache-dir: 'a.py' is no folder."),
]


LISTED = """\
ignore = [
  "TL1",
  "TL999",
]
[per-file-ignores]
"a" = ["TL1"]
"b" = ["Q"]
"""


class TestMistakes:
    @pytest.mark.parametrize(("line", "said"), [*MISTAKES, *BEYOND_THE_SCHEMA])
    def test_a_mistake_is_a_sentence_with_its_line(self, tree: Tree, line: str, said: str) -> None:
        tree({"a.py": BROKEN, "pyproject.toml": f"[tool.torchlint]\n# remark\n{line}\n"})
        sentence = refusal()
        assert sentence.startswith(("pyproject.toml:3: ", "pyproject.toml:4: this is not TOML"))
        assert sentence.partition(": ")[2].startswith(said)

    def test_the_header_is_for_another_file(self, tree: Tree) -> None:
        tree({"torchlint.toml": '[tool.torchlint]\nselect = ["TL1"]\n'})
        said = "there is no option tool; the header [tool.torchlint] is for pyproject.toml."
        assert refusal() == f"torchlint.toml:1: {said}"

    def test_a_run_that_was_refused_counts_nothing(self, tree: Tree) -> None:
        tree({"torchlint.toml": "x = 1\n"})
        assert run("--output-format", "full").stdout == ""

    def test_the_line_is_that_of_the_part(self, tree: Tree) -> None:
        tree({"torchlint.toml": LISTED})
        lines = run().stderr.splitlines()
        assert [line.split(": ")[2] for line in lines] == ["torchlint.toml:3", "torchlint.toml:7"]

    def test_a_file_further_down_may_be_wrong_too(self, tree: Tree) -> None:
        tree({"a.py": "", "pkg/b.py": "", "pkg/torchlint.toml": "x = 1\n"})
        assert refusal().startswith("pkg/torchlint.toml:1: there is no option x")
        assert refusal("--show-files").startswith("pkg/torchlint.toml:1: there is no option x")
        assert refusal("--show-settings", "pkg").startswith("pkg/torchlint.toml:1: ")

    def test_what_is_no_text(self, tree: Tree) -> None:
        tree({"a.py": ""})
        Path("torchlint.toml").write_bytes(b"# \xff\n")
        assert refusal() == "torchlint.toml is not UTF-8, which TOML is."

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--config", "gone.toml"], "--config gone.toml: there is no such file, and"),
            (["--config", "level=pedantic"], "--config level=pedantic is not TOML (Invalid value)"),
            (["--config", "levl='pedantic'"], "--config levl='pedantic': there is no option levl"),
            (["--config", "b.toml", "--isolated"], "--config b.toml and --isolated exclude"),
            (["--config", "pyproject.toml"], "pyproject.toml has no table [tool.torchlint]."),
            (["--level", "correctness", "--pedantic"], "--level and --pedantic exclude each other"),
            (["--torch-version", "new"], "--torch-version: 'new' is no version"),
            (["--select", "Q"], "'Q' in --select is no rule"),
            (["--per-file-ignores", "a.py:Q"], "'Q' in --per-file-ignores.\"a.py\" is no rule"),
        ],
    )
    def test_on_the_command_line(self, tree: Tree, arguments: list[str], said: str) -> None:
        tree({"a.py": "", "b.toml": "", "pyproject.toml": ""})
        assert refusal(*arguments).replace(f"{Path.cwd()}/", "").startswith(said)

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--level", "x"],
            ["--fail-on", "x"],
            ["--max-warnings", "-1"],
            ["--max-warnings", "x"],
            ["--per-file-ignores", "TL1"],
        ],
    )
    def test_click_refuses_the_rest(self, tree: Tree, arguments: list[str]) -> None:
        tree({"a.py": ""})
        result = run(*arguments)
        assert result.exit_code == 2
        assert f"Invalid value for '{arguments[0]}'" in result.stderr


class TestCommandLine:
    def test_it_has_the_last_word(self, tree: Tree) -> None:
        tree({"a.py": UNUSED, "torchlint.toml": 'level = "correctness"\n'})
        assert found("--config", 'level="pedantic"') == ["a.py TL002"]
        assert found("--config", 'level="pedantic"', "--level", "suspicious") == []
        assert found("--pedantic") == ["a.py TL002"]

    def test_a_select_drops_the_files_selection(self, tree: Tree) -> None:
        tree({"a.py": BROKEN, "torchlint.toml": 'ignore = ["TL001"]\n'})
        assert found("--select", "TL0") == ["a.py TL001"]
        assert found("--extend-select", "TL0") == []
        assert found("--ignore", "TL2") == []

    def test_variables(self, tree: Tree) -> None:
        tree({"a.py": UNUSED})
        assert found(TORCHLINT_LEVEL="pedantic") == ["a.py TL002"]
        assert found(TORCHLINT_SELECT="TL1,TL002 TL2") == ["a.py TL002"]
        assert found(TORCHLINT_CONFIG='select=["TL1", "TL002"]') == ["a.py TL002"]
        assert found(TORCHLINT_LEVEL="") == []
        assert found("--level", "suspicious", TORCHLINT_LEVEL="pedantic") == []
        said = refusal(TORCHLINT_SELECT="Q")
        assert said.startswith("'Q' in TORCHLINT_SELECT (--select) is no rule")

    @pytest.mark.parametrize(
        ("name", "value"), [("LEVEL", "x"), ("MAX_WARNINGS", "few"), ("ISOLATED", "perhaps")]
    )
    def test_a_wrong_variable_is_named(self, tree: Tree, name: str, value: str) -> None:
        tree({"a.py": ""})
        result = run(**{f"TORCHLINT_{name}": value})
        assert result.exit_code == 2
        assert f"It is the value of TORCHLINT_{name}." in result.stderr

    def test_no_variable_makes_it_run_code(self, tree: Tree) -> None:
        tree({"a.py": BROKEN})
        names = ("CONFIRM", "VERSION", "HELP", "SHOW_FILES", "SHOW_SETTINGS", "LIST_RULES")
        assert found(**{f"TORCHLINT_{name}": "1" for name in names}) == ["a.py TL001"]


class TestFiles:
    def test_exclusion(self, tree: Tree) -> None:
        tree(dict.fromkeys(["a.py", "gen/b.py", "x_pb2.py", "pkg/gen/c.py", "build/d.py"], ""))
        tree({"torchlint.toml": 'extend-exclude = ["/gen", "*_pb2.py"]\n'})
        assert run("--show-files").stdout.split() == ["a.py", "pkg/gen/c.py"]
        tree({"torchlint.toml": 'exclude = ["gen"]\n'})
        assert run("--show-files").stdout.split() == ["a.py", "build/d.py", "x_pb2.py"]
        assert run("--show-files", "--exclude", "a.py,pkg/").stdout.split() == [
            "build/d.py",
            "gen/b.py",
            "x_pb2.py",
        ]

    def test_patterns_are_relative_to_their_file(self, tree: Tree) -> None:
        tree(dict.fromkeys(["a.py", "pkg/a.py", "pkg/b.py"], ""))
        tree({"pkg/torchlint.toml": 'exclude = ["/a.py"]\n'})
        assert run("--show-files").stdout.split() == ["a.py", "pkg/b.py"]

    def test_what_is_named_is_taken_unless_forced(self, tree: Tree) -> None:
        tree(dict.fromkeys(["gen/b.py", "build/c.py", "x/d.py"], ""))
        tree({"torchlint.toml": 'extend-exclude = ["gen/*.py"]\n'})
        named = ("--show-files", "gen/b.py", "build/c.py", "x")
        assert run(*named).stdout.split() == ["build/c.py", "gen/b.py", "x/d.py"]
        assert run(*named, "--force-exclude").stdout.split() == ["x/d.py"]

    def test_gitignore(self, tree: Tree) -> None:
        tree({"a.py": "", "b.py": "", ".gitignore": "a.py\n", ".git/HEAD": ""})
        assert run("--show-files").stdout.split() == ["b.py"]
        assert run("--show-files", "--no-respect-gitignore").stdout.split() == ["a.py", "b.py"]

    def test_src_is_what_is_checked(self, tree: Tree) -> None:
        tree({"a.py": "", "src/b.py": "", "sub/c.py": "", "torchlint.toml": 'src = ["src"]\n'})
        assert run("--show-files").stdout.split() == ["src/b.py"]
        assert run("--show-files", "sub").stdout.split() == ["sub/c.py"]


PROBABILITIES = """\
import torch.nn.functional as F


def probabilities(x):
    return F.softmax(x, dim=1)
"""
TRAINING = """\
import torch
import torch.nn.functional as F
from {module} import probabilities

x, y = torch.randn(3, 4, requires_grad=True), torch.tensor([0, 1, 1])
F.cross_entropy(probabilities(x), y).backward()
"""


class TestImports:
    def test_a_file_that_is_named_alone_finds_its_neighbours(self, tree: Tree) -> None:
        tree({"nets.py": PROBABILITIES, "a.py": TRAINING.format(module="nets")})
        assert found("a.py", "--select", "TL301") == ["a.py TL301"]
        assert found(str(Path("a.py").absolute()), "--select", "TL301") == ["a.py TL301"]

    @pytest.mark.parametrize("paths", [["tests/a.py"], ["."]])
    def test_a_folder_called_src_needs_no_setting(self, tree: Tree, paths: list[str]) -> None:
        tree({"pyproject.toml": "", "src/lib/nets.py": PROBABILITIES, "src/lib/__init__.py": ""})
        tree({"tests/a.py": TRAINING.format(module="lib.nets")})
        assert found(*paths, "--select", "TL301") == ["tests/a.py TL301"]

    @pytest.mark.parametrize("paths", [["scripts/a.py"], ["scripts", "python"]])
    def test_imports_start_from_src(self, tree: Tree, paths: list[str]) -> None:
        tree({"python/lib/nets.py": PROBABILITIES, "python/lib/__init__.py": ""})
        tree({"scripts/a.py": TRAINING.format(module="lib.nets")})
        assert found(*paths, "--select", "TL301") == []
        tree({"torchlint.toml": 'src = ["python"]\n'})
        assert found(*paths, "--select", "TL301") == ["scripts/a.py TL301"]


class TestPerFile:
    @pytest.mark.parametrize(
        ("pattern", "left"),
        [
            ("tests/", ["a.py TL001"]),
            ("tests/*.py", ["a.py TL001"]),
            ("test_*.py", ["a.py TL001"]),
            ("!tests/", ["tests/test_b.py TL001"]),
            ("*.py", []),
        ],
    )
    def test_patterns(self, tree: Tree, pattern: str, left: list[str]) -> None:
        tree({"a.py": BROKEN, "tests/test_b.py": BROKEN})
        tree({"torchlint.toml": f'per-file-ignores = {{"{pattern}" = ["ALL"]}}\n'})
        assert found() == left
        assert found("--isolated", "--per-file-ignores", f"{pattern}:TL001,TL2") == left

    def test_they_hold_whatever_is_selected(self, tree: Tree) -> None:
        tree({"a.py": BROKEN, "torchlint.toml": 'per-file-ignores = {"a.py" = ["TL0"]}\n'})
        assert found("--select", "TL001") == []


class TestGate:
    @pytest.mark.parametrize(
        ("settings", "status"),
        [
            ("", 1),
            ('fail-on = "error"', 1),
            ('severity = {TL001 = "warning"}', 1),
            ('severity = {TL001 = "warning"}\nfail-on = "error"', 0),
            ('severity = {TL0 = "note", correctness = "error"}\nfail-on = "warning"', 0),
            ('severity = {TL001 = "note", ALL = "error"}\nfail-on = "warning"', 0),
            ("max-warnings = 9", 1),
            ('severity = {TL001 = "warning"}\nmax-warnings = 1', 0),
            ('severity = {TL001 = "warning"}\nmax-warnings = 0', 1),
        ],
    )
    def test_what_a_run_fails_for(self, tree: Tree, settings: str, status: int) -> None:
        tree({"a.py": BROKEN, "torchlint.toml": settings})
        assert run().exit_code == status


class TestShowSettings:
    def test_each_value_has_its_origin(self, tree: Tree) -> None:
        tree({"pyproject.toml": '[tool.torchlint]\nignore = ["TL2"]\nfail-on = "error"\n'})
        tree({"pkg/a.py": ""})
        arguments = ("--show-settings", "pkg/a.py", "--ignore", "TL3", "--config", "src=['pkg']")
        lines = run(*arguments, TORCHLINT_MAX_WARNINGS="3").stdout.splitlines()
        assert lines[0] == "# pkg/a.py: pyproject.toml"
        assert 'ignore = ["TL2", "TL3"]  # pyproject.toml:2, --ignore' in lines
        assert 'fail-on = "error"  # pyproject.toml:3' in lines
        assert "max-warnings = 3  # TORCHLINT_MAX_WARNINGS" in lines
        assert 'level = "performance"  # default' in lines
        assert "# torch-version: what the project's files say  # default" in lines
        assert any(line.endswith("# --config src=['pkg']") for line in lines)

    def test_it_can_be_read_as_a_configuration(self, tree: Tree) -> None:
        tree({"a.py": ""})
        text = run("--show-settings", "--isolated").stdout
        Draft7Validator(schema.schema()).validate(tomllib.loads(text))


class TestTable:
    def test_every_option_is_a_setting(self) -> None:
        assert {option.field for option in OPTIONS.values()} == set(Settings.__slots__) - {"off"}
        assert OPTIONS.keys() > SELECTION

    @pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.key)
    def test_examples_and_defaults_are_what_the_kind_takes(
        self, option: schema.Option, tmp_path: Path
    ) -> None:
        table = tomllib.loads(option.example)
        assert list(table) == [option.key]
        Draft7Validator(schema.schema()).validate(table)
        for folder in ("src", "scripts"):
            (tmp_path / folder).mkdir()
        option.kind.read(table[option.key], option.key, str(tmp_path))
        assert option.text.endswith(".")

    def test_the_schema_refuses_what_is_wrong(self) -> None:
        validator = Draft7Validator(schema.schema())
        Draft7Validator.check_schema(schema.schema())
        for line, said in MISTAKES:
            if "'TL0001'" in said or "this is not TOML" in said or "does not exist" in said:
                continue
            assert not validator.is_valid(tomllib.loads(line)), line


class TestVersion:
    @pytest.mark.parametrize("wanted", ["", __version__, f"=={__version__}", ">=0.0.1,<99"])
    def test_this_one(self, tree: Tree, wanted: str) -> None:
        tree({"a.py": "", "torchlint.toml": f'required-version = "{wanted}"\n'})
        assert run().exit_code == 0

    @pytest.mark.parametrize(
        ("wanted", "said"),
        [
            ("99", f"required-version is 99, and this is torchlint {__version__}."),
            ("<0.0.1", f"required-version is <0.0.1, and this is torchlint {__version__}."),
            ("newest", "required-version must be a version or range of versions, such as"),
        ],
    )
    def test_another(self, tree: Tree, wanted: str, said: str) -> None:
        tree({"a.py": BROKEN, "torchlint.toml": f'required-version = "{wanted}"\n'})
        assert refusal().startswith(f"torchlint.toml:1: {said}")
