"""What findings call that which they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from torchlint.api import check
from torchlint.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("code", "line", "says"),
    [
        ("TL710", "torch.zeros(2, 3)[0, 0, 0]", "the index takes 3 dimensions, gets 2 (`(2, 3)`)"),
        ("TL307", "torch.log(torch.sigmoid(x))", "a probability is minus infinity where sigmoid"),
        ("TL307", "torch.log(1 - torch.tanh(x))", "what is left of one is minus infinity where"),
    ],
)
def test_in_the_terms_of_the_code(tmp_path: Path, code: str, line: str, says: str) -> None:
    (tmp_path / "a.py").write_text(f"import torch\n\nx = 99 * torch.randn(3)\ny = {line}\n")
    messages = [each.message for each in check([tmp_path], Settings(select=(code,))).findings]
    assert len(messages) == 1
    assert says in messages[0]
