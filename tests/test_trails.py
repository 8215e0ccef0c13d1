"""Where values go in a region, and which code is looked at for it."""

from __future__ import annotations

from time import process_time

import pytest

from torchlint.project import trails
from torchlint.project.classwords import HIDING
from torchlint.project.datawords import FIRST, ITERATOR
from torchlint.project.factories import JOINED, PLACELESS
from torchlint.project.handed import DOUBLES, LISTED, NUMPY
from torchlint.project.idioms import AFFINE_PAIR, ROWS
from torchlint.project.layerwords import NUMBERED, SETTINGS
from torchlint.project.orderwords import REORDERED_IN
from torchlint.project.pairwords import PAIR
from torchlint.project.shapewords import ARGMAX
from torchlint.project.words import EXPANDED_WRITE, words
from torchlint.project.zeros import HALF

FOUND = [
    (EXPANDED_WRITE, "x.expand(3, 4).add_(1)"),
    (EXPANDED_WRITE, "y = x.expand(3, 4)\n    y[0] = 1"),
    (EXPANDED_WRITE, "y = z = x.expand(3, 4)\n    z += 1"),
    (EXPANDED_WRITE, "self.y = x.expand_as(z).view(-1)\n    self.y.mul_(2)"),
    (EXPANDED_WRITE, "y, z = torch.broadcast_to(x, (3, 4)), 1\n    w = y[0]\n    w *= 2"),
    (EXPANDED_WRITE, "rows = []\n    rows.append(x.expand(3))\n    for r in rows:\n        r += 1"),
    (EXPANDED_WRITE, "y = torch.cat(z).expand(3, 4).view(-1)\n    y[0] = 1"),
    (EXPANDED_WRITE, "y = view(x.expand(3, 4))\n    y[0] = 1"),
    (EXPANDED_WRITE, "y = x.expand(3)\n    torch.add(x, 1, out=y)"),
    (EXPANDED_WRITE, "if (y := x.expand(3)) is not None:\n        nn.init.zeros_(y)"),
    (EXPANDED_WRITE, "init.zeros_(x.expand(3))\n    zeros_(x)"),
    (EXPANDED_WRITE, "zeros_(x.expand(3))"),
    (EXPANDED_WRITE, "y = [x.expand(3)]\n    z = y + x\n    for row in z:\n        row += 1"),
    (EXPANDED_WRITE, "y = [x.expand(3)] * 2\n    y[0] += 1"),
    (EXPANDED_WRITE, "y = {}\n    y[x] = x.expand(3)\n    y[x][0] = 1"),
    (EXPANDED_WRITE, "y = x.clone() if x is None else x.expand(3)\n    y += 1"),
    (DOUBLES, "a = np.random.rand(3)\n    b = a[1:] * 2\n    return torch.tensor(b)"),
    (DOUBLES, "return torch.tensor(WAVE)"),
    (DOUBLES, "return torch.from_numpy(x)"),
    (DOUBLES, "y = self.load(x)\n    return torch.as_tensor(y)"),
    (DOUBLES, "self.a = np.ones(3)\n    return torch.tensor(self.a)"),
    (NUMPY, "y = model(x)\n    return y.cpu().float().numpy()"),
    (NUMPY, "return model(x)[0].cpu().numpy()"),
    (NUMPY, "return self.weight.permute(1, 0).numpy()"),
    (NUMPY, "y = net(x)\n    return (y + 1).numpy()"),
    (NUMPY, "return model.encode(x).cpu().numpy()"),
    (FIRST, "next(iter(loader))"),
    (FIRST, "next(iter(self.loaders['a']))"),
    (ITERATOR, "y = (a for a in x)"),
    (ITERATOR, "y = (\n        a\n        for a in x\n    )"),
    (PAIR, "return x.sort(dim=1) + 1"),
    (PAIR, "return model(x).grad.mode() + 1"),
    (PAIR, "return model(x).mode() + 1"),
    (ITERATOR, "y = ([a, b[c[0]]] for a, b in x)"),
    (ITERATOR, "y = ([a for a in b] for b in x)"),
    (NUMBERED, "torch.tensor([1])"),
    (JOINED, "return x.to(loader) + torch.zeros(3)"),
    (JOINED, "y = torch.ones(2, 1)\n    z = f(x[0])\n    return torch.cat((z, y), 1)"),
    (PLACELESS, "p = torch.rand(1)\n    if p < x:\n        return p"),
    (PLACELESS, "p = torch.rand([])\n    if p < 1:\n        return x * p"),
    (HALF, "with torch.autocast('cuda', enabled=x):\n        x()"),
    (
        HALF,
        "with torch.autocast('cuda', dtype=torch.bfloat16 if x else torch.float16):\n        x()",
    ),
    (LISTED, "return torch.tensor([x.numpy()])"),
    (LISTED, "return torch.FloatTensor(self.rows)"),
    (LISTED, "def g(y: list[int]):\n        return torch.tensor(y)"),
    (LISTED, "def g(y: int | list = 0):\n        return torch.as_tensor(y, dtype=x)"),
    (LISTED, "y = [np.zeros(2) ** 2]\n    return torch.tensor(y)"),
    (REORDERED_IN, "h_n.view(batch, -1)"),
    (REORDERED_IN, "states.reshape(self.layers, x.size(0), -1)"),
    (REORDERED_IN, "last_hidden.view((*sizes, -1, 2 * n, 1))"),
    (ROWS, "for i in range(len(x)):\n        y[i] = x[i, :2].norm()  # [n]"),
    (ROWS, "for i, row in enumerate(x):\n        y.append(row.sum() * z[i])"),
    (ROWS, "for a, b in zip(x, y, strict=True):\n        z += (a * b).sum()"),
    (ROWS, "for row in self.rows:\n        z.append(row.norm())"),
    (ARGMAX, "return x.argmax() == y"),
    (ARGMAX, "return torch.argmax(x.softmax(-1)) != y[0]"),
    (ARGMAX, "return argmin(x).eq(y)"),
    (ARGMAX, "return x.argmin(dim=None) == 1 - y"),
    (AFFINE_PAIR, "nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))"),
    (AFFINE_PAIR, "def forward(x):\n        x = self.fc1(x)\n        return self.head(x)"),
    (AFFINE_PAIR, "def forward(x):\n        return self.out(self.hidden_layer(x))"),
]
OTHERS = [
    (EXPANDED_WRITE, "y = x.expand(3, 4)\n    x += 1"),
    (EXPANDED_WRITE, "init.copy_(x, y.expand(3))\n    x.copy_(y.expand(3))"),
    (EXPANDED_WRITE, "y = x.expand(3)\n    n = y.shape[0]\n    n += y.size(1)"),
    (EXPANDED_WRITE, "t = x.expand(3)\n    y = self.net(y, t)\n    y += 1"),
    (EXPANDED_WRITE, "y = x.expand(3)\n    for n in z:\n        n += 1"),
    (EXPANDED_WRITE, "y = x.expand(3) + x\n    y += 1"),
    (EXPANDED_WRITE, "y = torch.cat((x.expand(3), x))\n    y += 1"),
    (EXPANDED_WRITE, "y = x.expand(3).clone()\n    y[0] = 1"),
    (EXPANDED_WRITE, "y = x.expand(3)\n    x[:, 0] = y\n    x += 1"),
    (DOUBLES, "a = np.zeros(3)\n    return torch.tensor(self.config.mean)"),
    (DOUBLES, "a = np.zeros(3)\n    return torch.tensor([x])"),
    (DOUBLES, "a = np.zeros(3)\n    y = [1]\n    return torch.tensor(y)"),
    (NUMPY, "return x.cpu().permute(0, 2).float().numpy()"),
    (NUMPY, "return torch.rand(3).cpu().numpy()"),
    (NUMPY, "y = model(x)\n    return y[0].detach().cpu().numpy()"),
    (NUMPY, "return self.weight.data.permute(1, 0).numpy()"),
    (FIRST, "next(iter(self.net.parameters()))"),
    (FIRST, "next(iter(x.values()))"),
    (ITERATOR, "y = (\n        'one for all'\n    )"),
    (ITERATOR, "y = ([a for a in x])"),
    (ITERATOR, "y = ({a: b for a, b in x} if x else {})"),
    (PAIR, "return model(x).latent_dist.mode() + 1"),
    (PAIR, "return x - np.max(x, axis=-1, keepdims=True)"),
    (NUMBERED, "torch.tensor([0])"),
    (JOINED, "return x + torch.zeros(3)"),
    (JOINED, "return loader.to(0) + torch.zeros(3)"),
    (JOINED, "return torch.zeros(f(x)) * 2"),
    (JOINED, "return f(x) + torch.zeros(3, device=x.device)"),
    (JOINED, "return f(x) + torch.zeros(3, **like)"),
    (PLACELESS, "p = torch.rand([])\n    if p < self.rate:\n        return x"),
    (PLACELESS, "for y in x:\n        p = torch.rand(())  # one\n        print(p > 1)"),
    (HALF, "with torch.autocast('cuda', dtype=torch.bfloat16):\n        x()"),
    (
        HALF,
        "raise ValueError(\n        f'{x}: '\n        '`with torch.autocast(device):`'\n    )",
    ),
    (LISTED, "return torch.tensor(1e-3, device=x) + torch.tensor(len(x))"),
    (LISTED, "return torch.tensor(self.size**0.5, dtype=x.dtype)"),
    (LISTED, "def g(y: int | torch.Tensor, z=1):\n        return torch.tensor([y], device=x)"),
    (LISTED, "def g(y: float | None = None):\n        return torch.as_tensor(y)"),
    (REORDERED_IN, "query_states.view(n, length, heads, -1)"),
    (ROWS, "for i, n in enumerate(sizes):\n        y.append(x[i, :n].mean(dim=0))"),
    (ROWS, "for i, (a, b) in enumerate(x):\n        y.append(a.sum())"),
    (ROWS, "for a, b in zip(x['a'], y):\n        z.append((a * b).sum())"),
    (ROWS, "for row in x:\n        z.append(row[0].norm())"),
    (ARGMAX, "return x.argmax(dim=-1) == y"),
    (ARGMAX, "return x.argmax(1) == y"),
    (ARGMAX, "return np.argmax(x) == y"),
    (ARGMAX, "return x.argmax() == 0 or y != 'a'"),
    (AFFINE_PAIR, "nn.Sequential(nn.Linear(3, 4), nn.Dropout(), nn.Linear(4, 2))"),
    (AFFINE_PAIR, "def forward(x):\n        x = self.dropout(x)\n        return self.head(x)"),
    (AFFINE_PAIR, "def forward(x):\n        return self.fc(self.layer_norm1(x))"),
]


def region(body: str) -> str:
    """A method of a class, as it stands in a file."""
    return "    def f(self, x: torch.Tensor, loader):\n        {}\n".format(
        body.replace("\n", "\n    ")
    )


@pytest.mark.parametrize(("word", "body"), FOUND)
def test_code_is_looked_at_where_a_value_goes_to_what_a_rule_asks_for(word: str, body: str) -> None:
    assert word in words(region(body))


@pytest.mark.parametrize(("word", "body"), OTHERS)
def test_it_is_not_where_another_value_does(word: str, body: str) -> None:
    assert word not in words(region(body))


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("self.x = [nn.Linear(2, 2)]", True),
        ("self.x = (nn.Linear(2, 2), nn.ReLU())", True),
        ("self.x = tuple(nn.Linear(2, 2) for _ in x)", True),
        ("self.x = (nn.Linear(2, 2) if x else nn.ReLU())", False),
        ("self.x = (\n        nn.Linear(2, 2)\n    )", False),
    ],
)
def test_parentheses_make_a_tuple_by_a_comma(line: str, is_found: bool) -> None:
    assert (HIDING in words(f"def __init__(self, x):\n    {line}\n")) is is_found


@pytest.mark.parametrize(
    ("given", "is_found"),
    [
        ("5, 8, padding_idx=PAD", True),
        ("n, 8, padding_idx=self.n", True),
        ("self.n, 3, padding_idx=5", True),
        ("self.n, 3, padding_idx=self.n", True),
        ("config.words, config.width, self.padding_idx", False),
        ("\n    config.words,\n    config.width,\n    padding_idx=config.pad,\n", False),
    ],
)
def test_a_row_for_padding_is_looked_at_where_its_number_may_be_known(
    given: str, is_found: bool
) -> None:
    assert (SETTINGS in words(f"x = nn.Embedding({given})\n")) is is_found


def test_what_cannot_be_parsed_by_itself_is_looked_at() -> None:
    assert trails.parsed("def f(:\n") is None
    assert EXPANDED_WRITE in words("def f(x:\n    y = x.expand(3)\n    z += 1\n")


def test_long_chains_and_sums_take_no_longer_than_they_are() -> None:
    chain = "x" + ".f()" * 3_000
    total = " + ".join(["x.expand(2)"] * 3_000)
    turns = "\n".join(f"    a{at} = a{at + 1}" for at in range(3_000))
    nested = "(" * 60 + "x" + " + y).cpu()" * 60
    started = process_time()
    for body in (f"y = {chain}", f"y = {total}", f"y = {nested}.numpy()"):
        words(f"def f(x, y):\n    y += 1\n    {body}\n")
    assert EXPANDED_WRITE in words(f"def f(x):\n{turns}\n    a3000 = x.expand(2)\n    a0 += 1\n")
    assert process_time() - started < 5


def test_names_are_free_that_are_given_a_value_elsewhere() -> None:
    text = "def f(a, *b, c=d):\n    e = torch.sum(g)\n    return lambda h: e + h + k\n"
    code = trails.parsed(text)
    assert code is not None
    assert code.free == {"d", "g", "k"}
    assert code.parameters == {"a", "b", "c", "h"}
