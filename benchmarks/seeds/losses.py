"""Mistakes of losses and of what they are given."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from .code import Code, Edit, called, keyword, receiver, seed

if TYPE_CHECKING:
    from collections.abc import Iterator

    Places = Iterator[tuple[ast.expr | ast.stmt, list[Edit]]]


_SOFTMAX = {"softmax", "log_softmax", "Softmax", "LogSoftmax"}


def _criteria(code: Code, kind: str) -> set[str]:
    """The names that a file gives a loss of this class, and no other."""
    names: dict[str, set[str]] = {}
    for node in code.all(ast.Assign):
        for target in node.targets:
            made = called(node.value) if isinstance(node.value, ast.Call) else ""
            names.setdefault(ast.unparse(target), set()).add(made)
    return {name for name, made in names.items() if made == {kind}}


def _losses(code: Code, kind: str, function: str) -> Iterator[ast.Call]:
    """The calls of a loss with an input and a target, by its class or its function."""
    names = _criteria(code, kind)
    for call in code.all(ast.Call):
        by_name = ast.unparse(call.func) in names
        if (by_name or called(call) == function) and len(call.args) >= 2:
            yield call


def _trained(code: Code, call: ast.Call) -> bool:
    """Whether there are gradients of what the function of a call computes."""
    return bool(code.calls(code.scope(call), "backward"))


@seed("TL301")
def softmax_before_cross_entropy(code: Code) -> Places:
    """A cross entropy gets probabilities."""
    for call in _losses(code, "CrossEntropyLoss", "cross_entropy"):
        given = call.args[0]
        yield call, [code.put(given, f"torch.softmax({code.of(given)}, dim=1)")]


@seed("TL302")
def sigmoid_before_bce_with_logits(code: Code) -> Places:
    """A loss on logits gets probabilities."""
    for call in _losses(code, "BCEWithLogitsLoss", "binary_cross_entropy_with_logits"):
        given = call.args[0]
        yield call, [code.put(given, f"torch.sigmoid({code.of(given)})")]


def _returned(code: Code, loss: str) -> Iterator[tuple[ast.Return, ast.expr]]:
    """What models return that a file trains with a loss; models with one end only."""
    if not re.search(rf"\b{loss}\(", code.text) or ".backward(" not in code.text:
        return
    built = [each for each in code.all(ast.Call) if isinstance(code.parents[each], ast.Assign)]
    for each in code.all(ast.ClassDef):
        names = [called(call) for call in built]
        for function in each.body:
            if isinstance(function, ast.FunctionDef) and function.name == "forward":
                returns = code.within(function, ast.Return)
                last = function.body[-1]
                match last:
                    case ast.Return(value=ast.Name() | ast.Call() as value) if (
                        each.name in names and returns == [last]
                    ):
                        yield last, value


@seed("TL301")
def model_ends_in_softmax(code: Code) -> Places:
    """A model that is trained by cross entropy returns probabilities."""
    for node, value in _returned(code, "CrossEntropyLoss"):
        if not re.search(r"softmax|NLLLoss", code.text):
            yield node, [code.put(value, f"torch.softmax({code.of(value)}, dim=1)")]


@seed("TL302")
def model_ends_in_sigmoid(code: Code) -> Places:
    """A model that is trained on logits returns probabilities."""
    for node, value in _returned(code, "BCEWithLogitsLoss"):
        if not re.search(r"sigmoid", code.text, re.IGNORECASE):
            yield node, [code.put(value, f"torch.sigmoid({code.of(value)})")]


@seed("TL303")
def model_without_log_softmax(code: Code) -> Places:
    """A likelihood is taken of scores."""
    if not re.search(r"\bnll_loss\(|\bNLLLoss\(", code.text):
        return
    for node in code.all(ast.Return):
        if isinstance(node.value, ast.Call) and called(node.value) == "log_softmax":
            call = node.value
            inner = receiver(call) if not call.args or keyword(call, "dim") is None else ""
            if call.args and ast.unparse(call.func) in {"F.log_softmax", "torch.log_softmax"}:
                inner = code.of(call.args[0])
            if inner:
                yield node, [code.put(call, inner)]


@seed("TL304")
def bce_on_logits(code: Code) -> Places:
    """A loss on probabilities gets scores."""
    for call in _losses(code, "BCELoss", "binary_cross_entropy"):
        match call.args[0]:
            case ast.Call(args=[inner]) as outer if called(outer) == "sigmoid":
                yield call, [code.put(outer, code.of(inner))]
            case ast.Call(func=ast.Attribute(value=inner), args=[]) as outer if (
                called(outer) == "sigmoid"
            ):
                yield call, [code.put(outer, code.of(inner))]


@seed("TL313", "TL306")
def arguments_swapped(code: Code) -> Places:
    """A loss gets its target first."""
    for call in _losses(code, "CrossEntropyLoss", "cross_entropy"):
        first, second = call.args[:2]
        yield call, [code.put(first, code.of(second)), code.put(second, code.of(first))]


@seed("TL306")
def target_of_floats(code: Code) -> Places:
    """A cross entropy gets classes that are no whole numbers."""
    for call in _losses(code, "CrossEntropyLoss", "cross_entropy"):
        target = call.args[1]
        yield call, [code.put(target, f"{code.of(target)}.float()")]


@seed("TL105", "TL106")
def loss_of_detached(code: Code) -> Places:
    """A loss is computed of what has no graph."""
    for kind, function in (
        ("CrossEntropyLoss", "cross_entropy"),
        ("MSELoss", "mse_loss"),
        ("BCELoss", "binary_cross_entropy"),
    ):
        for call in _losses(code, kind, function):
            given = call.args[0]
            assigned = code.parents[call]
            if isinstance(given, ast.Name) and isinstance(assigned, ast.Assign):
                names = {ast.unparse(each) for each in assigned.targets}
                backwards = code.calls(code.scope(call), "backward")
                if names & {receiver(each) for each in backwards}:
                    yield call, [code.put(given, f"{given.id}.detach()")]


@seed("TL105", "TL106", "TL508", "TL123")
def loss_made_anew(code: Code) -> Places:
    """A loss is made a tensor of its own, without its graph."""
    for call in code.all(ast.Call):
        assigned = code.parents[call]
        if called(call) == "backward" or not isinstance(assigned, ast.Assign):
            continue
        match assigned.targets:
            case [ast.Name(id=name)] if "loss" in name:
                backwards = code.calls(code.scope(call), "backward")
                if name in {receiver(each) for each in backwards}:
                    made = f"torch.tensor({code.of(call)}.item(), requires_grad=True)"
                    yield call, [code.put(call, made)]


@seed("TL314")
def criterion_made_of_data(code: Code) -> Places:
    """A loss class is called with what its object should get."""
    for call in code.all(ast.Call):
        match call.func:
            case ast.Call(args=[], keywords=[]) as made if (
                called(made).endswith("Loss") and len(call.args) == 2
            ):
                yield call, [code.put(made, code.of(made.func))]


@seed("TL307")
def log_of_zero(code: Code) -> Places:
    """A logarithm without what keeps it from zero."""
    for call in code.all(ast.Call):
        match call.args:
            case [
                ast.BinOp(
                    left=left, op=ast.Add(), right=ast.Constant(value=float() | int())
                ) as sum_
            ]:
                if ast.unparse(call.func) == "torch.log":
                    yield call, [code.put(sum_, code.of(left))]
            case [ast.BinOp(left=left, op=ast.Add(), right=ast.Name(id=name)) as sum_]:
                if ast.unparse(call.func) == "torch.log" and "eps" in name.lower():
                    yield call, [code.put(sum_, code.of(left))]


@seed("TL309")
def sqrt_of_zero(code: Code) -> Places:
    """A root without what keeps it from zero."""
    for call in code.all(ast.Call):
        match call.args:
            case [ast.BinOp(left=left, op=ast.Add(), right=ast.Constant() | ast.Name()) as sum_]:
                small = ast.unparse(sum_.right)
                if ast.unparse(call.func) == "torch.sqrt" and re.match(r"1e-|eps|0\.0", small):
                    yield call, [code.put(sum_, code.of(left))]


@seed("TL310")
def softmax_without_dim(code: Code) -> Places:
    """A softmax over whatever dimension."""
    for call in code.all(ast.Call):
        if called(call) in _SOFTMAX and (dim := keyword(call, "dim")):
            yield call, [code.without(call, dim)]


@seed("TL310", "TL713", "TL320")
def softmax_over_batch(code: Code) -> Places:
    """A softmax over the examples of a batch."""
    for call in code.all(ast.Call):
        if called(call) in _SOFTMAX:
            match keyword(call, "dim"):
                case ast.keyword(value=ast.Constant(value=1) as dim):
                    yield call, [code.put(dim, "0")]
