"""The house in order: a rule's files share its name, and modules and functions stay small."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cases import FIXTURES, PAGES, ROOT
from list_options import with_options
from list_rules import INDEX, index, with_rules

from torchlint import reports
from torchlint.cli import command
from torchlint.config import schema
from torchlint.registry import Rule, rules

PACKAGE = ROOT / "torchlint"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "tables" not in path.parts)
ALL_RULES = list(rules().values())
QUESTIONS = [rule for rule in ALL_RULES if rule.question]
MOST_LINES = 400
LONGEST_FUNCTION = 45

# May only shrink.
LONGER_MODULES: set[str] = set()
LONGER_FUNCTIONS: set[str] = set()

ids = {"ids": lambda item: item.code if isinstance(item, Rule) else item.stem}


def module_of(rule: Rule) -> Path:
    assert rule.question is not None
    return Path(inspect.getfile(rule.question))


@pytest.mark.parametrize("rule", QUESTIONS, **ids)
def test_module_fixtures_and_page_share_the_name(rule: Rule) -> None:
    module = module_of(rule)
    assert module.stem == rule.name.replace("-", "_")
    assert module.parents[1].name == "checks"
    assert (FIXTURES / module.parent.name / rule.name).is_dir()
    assert (PAGES / rule.page).is_file()


def test_a_module_holds_one_rule() -> None:
    modules = [module_of(rule) for rule in QUESTIONS]
    assert len(set(modules)) == len(modules)


def test_fixture_folders_belong_to_rules() -> None:
    named = {rule.name for rule in ALL_RULES}
    strays = [path for path in FIXTURES.glob("*/*") if path.is_dir() and path.name not in named]
    strays = [path for path in strays if path.parent.name not in ("demo", "demo_fixed", "run")]
    assert not [path for path in strays if path.name != "__pycache__"]


@pytest.mark.parametrize("rule", ALL_RULES, **ids)
def test_code_name_and_summary(rule: Rule) -> None:
    assert re.fullmatch(r"TL\d{3}", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    # `no-grad` is what is meant, not what is forbidden.
    assert not rule.name.removeprefix("no-grad").startswith(("no-", "avoid-"))
    assert rule.summary.endswith(".")
    assert len(rule.summary) <= 90


def test_names_are_unique() -> None:
    assert len({rule.name for rule in ALL_RULES}) == len(ALL_RULES)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_modules_are_short() -> None:
    lengths = {relative(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {name for name, lines in lengths.items() if lines > MOST_LINES} == LONGER_MODULES


def test_functions_are_short() -> None:
    longer = {
        f"{relative(path)}:{node.name}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    }
    assert longer == LONGER_FUNCTIONS


def test_all_that_declares_handlers_is_loaded() -> None:
    declares = re.compile(r"(?m)^@(?:function|method|hear|given|attribute|assigned|watch)\(")
    modules = {
        f"torchlint.torch_api.{file.stem}"
        for file in (ROOT / "torchlint" / "torch_api").glob("*.py")
        if declares.search(file.read_text("utf-8"))
    }
    asks = (
        "from torchlint.torch_api import registry; registry.load(); import sys; print(*sys.modules)"
    )
    program = [sys.executable, "-c", asks]
    loaded = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    assert modules - set(loaded.split()) == set()


def test_only_the_command_line_and_reports_print() -> None:
    speakers = {
        relative(path)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Name) and node.id == "print"
    }
    allowed = ("torchlint/cli.py", "torchlint/reports/")
    assert not [name for name in speakers if not name.startswith(allowed)]


README = (ROOT / "README.md").read_text("utf-8")


def test_the_readme_lists_the_rules() -> None:
    assert with_rules(README) == README, "run python tools/list_rules.py"
    assert index() == INDEX.read_text("utf-8"), "run python tools/list_rules.py"


def test_the_options_are_in_the_readme_and_in_the_schema() -> None:
    assert with_options(README) == README, "run python tools/list_options.py"
    assert schema.shipped() == schema.text(), "run python tools/list_options.py"


def test_the_readme_shows_what_is_printed() -> None:
    """The findings on the demo, but for the verdicts, whose figures are those of one run."""
    shown = README.partition("<!-- output -->\n```text\n")[2].partition("```")[0].rstrip()
    lines = [line for line in shown.splitlines() if "confirmed by running it" not in line]
    run = subprocess.run(
        [sys.executable, "-m", "torchlint", "fixtures/demo"], cwd=ROOT, capture_output=True
    )
    printed = run.stdout.decode().split("\n\n")
    for finding in "\n".join(lines).split("\n\n"):
        assert finding in printed


def test_the_readme_names_every_option() -> None:
    options = [name for parameter in command.params for name in parameter.opts]
    long = {name for name in options if name.startswith("--")} - {"--version"}
    assert not [name for name in long if name not in README]


def test_the_readme_names_every_format() -> None:
    assert not [name for name in reports.names() if f"| `{name}` |" not in README]


HEAVY = ("libcst", "rich", "torch")


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_starting_loads_nothing_heavy(option: str) -> None:
    code = (
        "import atexit, sys\n"
        f"atexit.register(lambda: print('loaded', sorted(sys.modules.keys() & set({HEAVY!r}))))\n"
        f"sys.argv = ['torchlint', {option!r}]\n"
        "from torchlint.cli import main\n"
        "main()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "loaded []"


@pytest.mark.slow
def test_the_wheel_carries_the_pages(tmp_path: Path) -> None:
    """Installed beside nothing but its dependencies, torchlint explains its rules."""
    pip = [sys.executable, "-m", "pip", "--quiet"]
    wheels, site = tmp_path / "wheels", tmp_path / "site"
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(wheels), str(ROOT)], check=True)
    wheel = next(wheels.glob("*.whl"))
    subprocess.run([*pip, "install", "--no-deps", "-t", str(site), str(wheel)], check=True)
    code = (
        f"import sys; sys.path.insert(0, {str(site)!r}); import torchlint.cli as cli\n"
        f"assert cli.__file__.startswith({str(site)!r}), cli.__file__\n"
        "sys.argv[1:] = ['--explain', CODE]; cli.main()\n"
    )
    for rule in ALL_RULES:
        command = [sys.executable, "-c", code.replace("CODE", repr(rule.code))]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert rule.code in run.stdout
        assert "Limits" in run.stdout
