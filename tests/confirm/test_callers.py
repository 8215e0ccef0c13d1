"""Who calls whom in a project, told by names."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from flagged import write

from torchlint.confirm.runner.callers import CallGraph, related
from torchlint.confirm.runner.loading import Texts

FILES = {
    "model.py": """
        class Base:
            def freeze(self):
                pass

            def prepare(self):
                self.freeze()

        class Derived(Base):
            pass

        def helper():
            pass
    """,
    "train.py": """
        import model

        def main():
            net = model.Derived()
            net.prepare()

        if __name__ == "__main__":
            main()
    """,
    "other.py": """
        import model

        def unused():
            model.helper()
    """,
}


@pytest.fixture
def graph(tmp_path: Path) -> CallGraph:
    for name, text in FILES.items():
        write(tmp_path, text, name)
    graph = CallGraph(Texts({}))
    graph.add([str(tmp_path / "model.py")])
    graph.add(related(str(tmp_path / "model.py"), str(tmp_path), Texts({})))
    return graph


def names(units: object) -> list[str]:
    return [unit.scope for unit in units]  # type: ignore[attr-defined]


def test_a_script_runs_what_it_leads_to(graph: CallGraph, tmp_path: Path) -> None:
    freeze = graph.unit_at(str(tmp_path / "model.py"), 4)
    assert freeze.scope == "Base.freeze"
    assert graph.runs(str(tmp_path / "train.py"), freeze)
    assert not graph.runs(str(tmp_path / "other.py"), freeze)
    assert not graph.runs(str(tmp_path / "model.py"), freeze)


def test_callers_name_the_method_or_a_class_that_has_it(graph: CallGraph, tmp_path: Path) -> None:
    freeze = graph.unit_at(str(tmp_path / "model.py"), 4)
    assert names(graph.callers(freeze)) == ["Base.prepare"]
    assert names(graph.callers(freeze, anywhere=True)) == ["Base.prepare", "main"]
    assert names(graph.outward(freeze)) == ["Base.prepare", "Base.freeze"]


def test_a_large_project_is_no_matter_of_pairs(tmp_path: Path) -> None:
    shared = "\n".join(f"    step{number}()" for number in range(30))
    for number in range(60):
        body = "".join(f"def step{n}():\n{shared}\n\n" for n in range(30))
        imports = "\n".join(f"import part{other}" for other in range(60))
        (tmp_path / f"part{number}.py").write_text(f"{imports}\n\n{body}")
    files = [str(tmp_path / f"part{number}.py") for number in range(60)]
    graph = CallGraph(Texts({}))
    graph.add(files)
    flagged = graph.unit_at(files[0], 70)
    began = time.process_time()
    assert not any(graph.runs(file, flagged) for file in files)
    assert time.process_time() - began < 10
