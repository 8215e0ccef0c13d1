"""What people have asked for help with is named as often as the table of questions says."""

from __future__ import annotations

import pytest
from asked import ANSWERS, FOLDER, Question, read, said

from torchlint.registry import rules

QUESTIONS = read()


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.program)
def test_the_answer_is_the_recorded_one(question: Question) -> None:
    assert said(question.file, question.code) == question.now
    assert said(question.fixed, question.code) != "default"


def test_the_table_is_whole() -> None:
    programs = {question.program for question in QUESTIONS}
    files = {str(file.relative_to(FOLDER).with_suffix("")) for file in FOLDER.rglob("*.py")}
    assert files == programs | {f"{program}_fixed" for program in programs}
    for question in QUESTIONS:
        assert question.code in rules()
        assert {question.first, question.now} <= set(ANSWERS)
        assert question.place
        assert question.mistake
        assert f"# asked: {question.code}" in question.file.read_text("utf-8")
