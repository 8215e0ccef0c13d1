"""Mistakes of loops that train and evaluate."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from .code import Code, Edit, called, keyword, receiver, seed

if TYPE_CHECKING:
    from collections.abc import Iterator

    Places = Iterator[tuple[ast.expr | ast.stmt, list[Edit]]]

_OPTIMIZER = re.compile(r"opt", re.IGNORECASE)
_SCHEDULER = re.compile(r"sched", re.IGNORECASE)


def _steps(code: Code, scope: ast.AST) -> list[ast.Call]:
    """The steps of what is called an optimizer."""
    return [call for call in code.calls(scope, "step") if _OPTIMIZER.search(receiver(call))]


def _is_step(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call() as call):
            return called(call) == "step" and bool(_OPTIMIZER.search(receiver(call)))
    return False


def _calls(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Expr(value=ast.Call() as call):
            return called(call) == name
    return False


@seed("TL201")
def zero_grad_left_out(code: Code) -> Places:
    """Gradients are never cleared."""
    for statement, call in code.statements("zero_grad"):
        scope = code.scope(statement)
        if (
            len(code.calls(scope, "zero_grad")) == 1
            and len(_steps(code, scope)) == 1
            and code.calls(scope, "backward")
            and code.in_loop(call)
        ):
            yield statement, [code.put(statement, "pass")]


@seed("TL202")
def step_left_out(code: Code) -> Places:
    """Gradients are computed, and nobody steps."""
    for statement, _ in code.statements("step"):
        scope = code.scope(statement)
        if _is_step(statement) and len(_steps(code, scope)) == 1 and code.calls(scope, "backward"):
            yield statement, [code.put(statement, "pass")]


@seed("TL202", "TL221")
def step_not_called(code: Code) -> Places:
    """A method is named where it should be called."""
    for statement, call in code.statements("step", "zero_grad", "backward"):
        if not call.args and not call.keywords and code.calls(code.scope(statement), "backward"):
            yield statement, [code.put(call, code.of(call.func))]


@seed("TL203", "TL201")
def step_before_backward(code: Code) -> Places:
    """The optimizer steps on the gradients of the round before."""
    for statement, _ in code.statements("backward"):
        block = code.block(statement)
        for later in block[block.index(statement) + 1 :]:
            if _is_step(later):
                yield statement, code.swapped(statement, later)
                break


@seed("TL203", "TL201")
def cleared_between(code: Code) -> Places:
    """What backward has computed is cleared before the step."""
    for statement, call in code.statements("zero_grad"):
        block = code.block(statement)
        rest = block[block.index(statement) + 1 :]
        for first, second in pairwise(rest):
            if _calls(first, "backward") and _is_step(second):
                indent = " " * first.col_offset
                moved = code.put(first, f"{code.of(first)}\n{indent}{code.of(call)}")
                yield first, [code.put(statement, "pass"), moved]


@seed("TL204", "TL203", "TL202")
def backward_left_out(code: Code) -> Places:
    """The loss is computed, and nobody asks for gradients."""
    for statement, _ in code.statements("backward"):
        scope = code.scope(statement)
        if len(code.calls(scope, "backward")) == 1 and len(_steps(code, scope)) == 1:
            yield statement, [code.put(statement, "pass")]


@seed("TL104")
def backward_twice(code: Code) -> Places:
    """The same graph is walked through a second time."""
    for statement, call in code.statements("backward"):
        if not call.keywords and not call.args and code.in_loop(call):
            indent = " " * statement.col_offset
            twice = f"{code.of(statement)}\n{indent}{code.of(statement)}"
            yield statement, [code.put(statement, twice)]


@seed("TL205", "TL203")
def scheduler_before_optimizer(code: Code) -> Places:
    """The learning rate is stepped before the weights are."""
    for statement, call in code.statements("step"):
        if call.args or not _SCHEDULER.search(receiver(call)):
            continue
        block = code.block(statement)
        at = block.index(statement)
        if any(_is_step(each) for each in block[:at]) and code.in_loop(statement):
            first = block[0]
            indent = " " * first.col_offset
            yield (
                statement,
                [
                    code.put(statement, "pass"),
                    code.put(first, f"{code.of(call)}\n{indent}{code.of(first)}"),
                ],
            )


@seed("TL205")
def plateau_told_nothing(code: Code) -> Places:
    """A scheduler that waits for a metric gets none."""
    if "ReduceLROnPlateau" not in code.text:
        return
    for statement, call in code.statements("step"):
        if call.args and _SCHEDULER.search(receiver(call)):
            yield statement, [code.put(call, f"{code.of(call.func)}()")]


@seed("TL206")
def clipped_after_step(code: Code) -> Places:
    """Gradients are clipped when they have been used."""
    for statement, _ in code.statements("clip_grad_norm_", "clip_grad_value_", "clip_grad_norm"):
        block = code.block(statement)
        for later in block[block.index(statement) + 1 :]:
            if _is_step(later):
                yield statement, code.swapped(statement, later)
                break


@seed("TL206")
def clipped_before_backward(code: Code) -> Places:
    """Gradients are clipped that are yet to be computed."""
    for statement, _ in code.statements("clip_grad_norm_", "clip_grad_value_"):
        block = code.block(statement)
        for earlier in block[: block.index(statement)]:
            if _calls(earlier, "backward"):
                yield statement, code.swapped(earlier, statement)
                break


@seed("TL206", "TL207")
def unscale_left_out(code: Code) -> Places:
    """Gradients are clipped while they are scaled."""
    for statement, _ in code.statements("unscale_"):
        if code.calls(code.scope(statement), "clip_grad_norm_", "clip_grad_value_"):
            yield statement, [code.put(statement, "pass")]


@seed("TL207")
def update_left_out(code: Code) -> Places:
    """A scaler is never told that a round is over."""
    for statement, call in code.statements("update"):
        if "scaler" in receiver(call).lower():
            yield statement, [code.put(statement, "pass")]


@seed("TL208")
def eval_left_out(code: Code) -> Places:
    """A model is evaluated as it trains."""
    for statement, call in code.statements("eval"):
        scope = code.scope(statement)
        alone = [each for each in code.calls(scope, "eval") if receiver(each) == receiver(call)]
        if call.args or len(alone) > 1 or isinstance(call.func, ast.Name):
            continue
        if "train" in code.text and "no_grad" in code.text:
            yield statement, [code.put(statement, "pass")]


@seed("TL209")
def train_left_out(code: Code) -> Places:
    """A model goes on as it was evaluated."""
    for statement, call in code.statements("train"):
        scope = code.scope(statement)
        if (
            not call.args
            and isinstance(call.func, ast.Attribute)
            and code.calls(scope, "backward")
            and code.in_loop(statement)
            and len(code.calls(scope, "train")) == 1
            and f"{receiver(call)}.eval()" in code.text
        ):
            yield statement, [code.put(statement, "pass")]


@seed("TL210", "TL103")
def graph_built_for_nothing(code: Code) -> Places:
    """What is evaluated builds a graph."""
    for node in code.all(ast.With):
        match node.items:
            case [ast.withitem(context_expr=ast.Call() as call)]:
                if called(call) in {"no_grad", "inference_mode"}:
                    yield node, [_header(code, node, "if True:")]
    for function in code.all(ast.FunctionDef):
        for each in function.decorator_list:
            if re.fullmatch(r"torch\.(no_grad|inference_mode)(\(\))?", ast.unparse(each)):
                start, end = code.span(each)
                at = code.text.rindex("@", 0, start)
                yield each, [Edit(at, end, "")]


def _header(code: Code, node: ast.With, text: str) -> Edit:
    """Another line in place of that which a block begins with."""
    start = code.offset(node.lineno, node.col_offset)
    end = code.span(node.items[0].context_expr)[1]
    return Edit(start, code.text.index(":", end) + 1, text)


@seed("TL802")
def graph_summed_up(code: Code) -> Places:
    """Losses are added up with their graphs."""
    for node in code.all(ast.AugAssign):
        if isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name | ast.Attribute):
            yield from _without_item(code, node, node.value)


@seed("TL801")
def graph_appended(code: Code) -> Places:
    """Losses are collected with their graphs."""
    for statement, call in code.statements("append"):
        if len(call.args) == 1:
            yield from _without_item(code, statement, call.args[0])


def _without_item(code: Code, statement: ast.stmt, value: ast.expr) -> Places:
    match value:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name) as loss, attr="item"), args=[]
        ) if code.in_loop(statement):
            backwards = code.calls(code.scope(statement), "backward")
            if any(receiver(each) == name for each in backwards):
                yield statement, [code.put(value, code.of(loss))]


@seed("TL216")
def best_state_not_copied(code: Code) -> Places:
    """What is kept of the best epoch goes on to change."""
    for call in code.all(ast.Call):
        if called(call) == "deepcopy" and len(call.args) == 1:
            inner = call.args[0]
            if isinstance(inner, ast.Call) and called(inner) == "state_dict" and code.in_loop(call):
                yield call, [code.put(call, code.of(inner))]


@seed("TL222")
def loaded_state_assigned(code: Code) -> Places:
    """A model is what ``load_state_dict`` returns."""
    for statement, call in code.statements("load_state_dict"):
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            name = call.func.value.id
            yield statement, [code.put(statement, f"{name} = {code.of(call)}")]


@seed("TL225")
def fake_not_detached(code: Code) -> Places:
    """What a discriminator learns from goes back into the generator."""
    for call in code.all(ast.Call):
        match call.args:
            case [ast.Call(func=ast.Attribute(value=inner, attr="detach")) as detached, *_] if (
                "fake" in ast.unparse(inner).lower() or "gen" in ast.unparse(inner).lower()
            ):
                if code.calls(code.scope(call), "backward"):
                    yield call, [code.put(detached, code.of(inner))]


@seed("TL212")
def accumulated_unscaled(code: Code) -> Places:
    """Gradients of several batches are added up as if each were the only one."""
    for node in (*code.all(ast.Assign), *code.all(ast.AugAssign)):
        match node:
            case (
                ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.BinOp(left=ast.Name(id=other), op=ast.Div(), right=by),
                )
                | ast.AugAssign(target=ast.Name(id=name as other), op=ast.Div(), value=by)
            ) if name == other and re.search(r"accum|grad", ast.unparse(by), re.IGNORECASE):
                yield node, [code.put(node, "pass")]


@seed("TL223")
def returned_in_loop(code: Code) -> Places:
    """A function returns when the first round is over."""
    for node in code.all(ast.Return):
        block = code.block(node)
        at = block.index(node)
        if at and isinstance(block[at - 1], ast.For) and node.lineno == node.end_lineno:
            loop = block[at - 1]
            assert isinstance(loop, ast.For)
            inside = loop.body[0].col_offset
            over = re.search(r"loader|epoch|batch", ast.unparse(loop.iter), re.IGNORECASE)
            if over and not loop.orelse and inside > node.col_offset:
                start = code.span(node)[0]
                yield node, [Edit(start, start, " " * (inside - node.col_offset))]


@seed("TL813")
def not_synchronized(code: Code) -> Places:
    """A clock is read while the GPU still works."""
    for statement, _ in code.statements("synchronize"):
        if code.calls(code.scope(statement), "time", "perf_counter"):
            yield statement, [code.put(statement, "pass")]


@seed("TL240")
def step_returns_nothing(code: Code) -> Places:
    """Lightning gets no loss to train on."""
    for function in code.all(ast.FunctionDef):
        returns = code.within(function, ast.Return)
        if function.name == "training_step" and len(returns) == 1 and returns[0].value:
            yield returns[0], [code.put(returns[0], "pass")]


@seed("TL505")
def loaded_to_where_it_was(code: Code) -> Places:
    """A file of a GPU is loaded as it was saved."""
    for call in code.all(ast.Call):
        if ast.unparse(call.func) == "torch.load" and (where := keyword(call, "map_location")):
            yield call, [code.without(call, where)]
