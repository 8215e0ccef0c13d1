"""Where names of an API are found, in code of all shapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchlint.api import check
from torchlint.findings import Level
from torchlint.project.index import Index
from torchlint.project.mentions import mentions
from torchlint.project.sought import Sought
from torchlint.settings import Settings
from torchlint.sources.source import Source
from torchlint.torch_api.history import is_gone


def lines(text: str, folder: Path, *codes: str) -> list[tuple[int, str]]:
    path = folder / "sample.py"
    path.write_text(text, encoding="utf-8")
    (folder / "requirements.txt").write_text("torch>=2.13\n")
    settings = Settings(select=("TL000", *(codes or ("TL901", "TL902"))), level=Level.PEDANTIC)
    return [(item.place.line, item.code) for item in check([str(path)], settings).findings]


FOUND = [
    "import torch\nx = f'{torch.rfft}'\n",
    "import torch\nx = torch.rfft(1, 1)  # 2",
    "import torch as t; y = t.rfft",
    "from torch import (\n    nn,\n    rfft as f,\n)",
    "if True:\n    from torch import rfft",
    "import torch\nclass A:\n    f = torch.rfft\n",
    "import torch\nclass A(torch.rfft):\n    pass\n",
    "import torch\n@torch.rfft\ndef f(): pass\n",
    "import torch\ndef f(x=torch.rfft): pass\n",
    "import torch\nasync def f():\n    async with torch.rfft as g: await g\n",
    "import torch\nfor x in torch.rfft(1): print(x)\n",
    "import torch\nassert (y := torch.rfft)\n",
    "import torch\nä = 'ö', torch.rfft\n",
    "import torch\ndef f():\n    def g():\n        return torch.rfft\n    return g\n",
    "def f():\n    import torch\n    return torch.rfft(1)\n",
    "import torch\nmatch 1:\n    case _:\n        torch.rfft(1)\n",
    "import torch\nx = lambda y: torch.rfft(y)\n",
    "import torch\nx = [torch.rfft(y) for y in ()]\n",
    "import torch\ntorch.rfft(*a, **k)\n",
    "import torch\nx = torch.rfft(\n    1,\n)(2).real\n",
    "import torch\nif True: from torch import rfft\n",
    "import torch\nif a:\n    pass\nelse: torch.rfft\n",
    "import torch\nf = (\n    lambda: torch.rfft\n)\n",
    "import torch\nf = {\n    a: torch.rfft(1),\n}\n",
    "import torch\ndef f(\n    a: float = torch.rfft,\n): pass\n",
    "import a; from torch import rfft\n",
    "if True:\n    from torch import (\nnn, rfft)\n",
]


@pytest.mark.parametrize("text", FOUND)
def test_names_are_found(text: str, tmp_path: Path) -> None:
    found = lines(text, tmp_path)
    at = next(n for n, line in enumerate(text.splitlines(), 1) if "rfft" in line)
    assert found == [(at, "TL901")]


LEFT = [
    "import torch\nif True: pass\nelse: from torch import rfft\n",
    "from torch import *\nx = rfft\n",
    "import torch\ndef f(torch): return torch.rfft\n",
    "import torch\ndef f():\n    torch = 1\n    return torch.rfft\n",
    "import torch\nx = [torch.rfft for torch in ()]\n",
    "import torch\ntry:\n    x = torch.rfft\nexcept (AttributeError, KeyError):\n    x = 1\n",
    "import torch\nx = torch.rfft if hasattr(torch, 'rfft') else 1\n",
    "import torch\nx = 'torch.rfft'  # torch.rfft\n",
    "import torch\nx: torch.rfft\n",
    "import torch.fft as torch_fft\nx = torch_fft.rfft(1)\n",
]


@pytest.mark.parametrize("text", LEFT)
def test_what_is_no_name_of_torch_or_cannot_be_told_is_left(text: str, tmp_path: Path) -> None:
    assert not lines(text, tmp_path)


PRIVATE = [
    "import torch._C",
    "import torch as t; t._C",
    "import torch.nn.functional as F; F._pad(1)",
    "from torch import nn\ndef f(): return nn.modules.utils._pair",
    "def f():\n    from torch import _C",
    "import torch\nclass A(torch._ops.OpOverload): pass",
    "from torch.utils import (\n    data,\n    _pytree,\n)",
    "import torch\ntorch._C.x = 1",
]
NOT_PRIVATE = [
    "import torch\nx = torch.__version__",
    "import torch._dynamo.config",
    "import torch\nx = torch.ops.aten._to_copy",
    "import torch\n# torch._C",
    "import torch\nclass A:\n    torch = 1\n    def f(self): return self.torch._C",
    "import torchx._C",
    "from .torch import _C",
]


@pytest.mark.parametrize("text", PRIVATE)
def test_private_names_are_found_however_they_are_spelled(text: str, tmp_path: Path) -> None:
    assert [code for _, code in lines(text + "\n", tmp_path, "TL904")] == ["TL904"]


@pytest.mark.parametrize("text", NOT_PRIVATE)
def test_what_is_public_or_not_of_torch_is_left(text: str, tmp_path: Path) -> None:
    assert not lines(text + "\n", tmp_path, "TL904")


@pytest.mark.parametrize(("line", "found"), [("", 0), ("torch.load(x)", 1)])
def test_code_is_not_parsed_for_what_a_docstring_mentions(line: str, found: int) -> None:
    text = (
        f'import torch\n\n\ndef f(x):\n    """\n    torch.load(x)\n    """\n    {line or "x()"}\n'
    )
    source = Source("a.py", Path("a.py"), text)
    index = Index([source])
    outline = index.outline(source)
    sought = Sought({"torch.load"}, index.texts)
    assert len(mentions(index, outline, sought, is_gone)) == found
    assert bool(outline.trees.size) is bool(found)


@pytest.mark.parametrize("kind", ["torch.LongTensor,", "list[torch.LongTensor] | None = None"])
def test_code_is_not_parsed_for_what_is_written_of_a_parameter(kind: str) -> None:
    source = Source(
        "a.py", Path("a.py"), f"import torch\ndef f(\n    x: {kind}  # Labels.\n): x()\n"
    )
    index = Index([source])
    outline = index.outline(source)
    sought = Sought({"torch.LongTensor"}, index.texts)
    assert not mentions(index, outline, sought, is_gone)
    assert not outline.trees.size
