"""The readings of findings in real projects."""

from __future__ import annotations

from census import HEADER, TABLES, UNREAD, read
from fetch import PROJECTS

from torchlint.registry import rules


def test_each_project_has_a_table_of_readings() -> None:
    assert {file.stem for file in TABLES.glob("*.tsv")} == set(PROJECTS)
    for project, version in PROJECTS.items():
        lines = (TABLES / f"{project}.tsv").read_text("utf-8").splitlines()
        assert lines[0].split("\t") == list(HEADER)
        assert {line.partition("\t")[0] for line in lines[1:]} <= {version}, project
        for key, reading in read(project).items():
            assert key.code in rules()
            assert reading.reading in {"right", "wrong"}
            assert reading.why not in {"", UNREAD}, f"{project} {key}"
