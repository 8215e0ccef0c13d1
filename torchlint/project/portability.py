"""Portability: whether a file runs where its writer did, or wherever there is a device."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project import around
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from torchlint.project.index import Index
    from torchlint.project.outline import Outline
    from torchlint.project.regions import Region

_DEVICES = Pattern(
    r"cuda|cupy|gpu|device|(?:\b|_)cpu\b|\bmps\b|\bis_pinned\b|tensorrt|\btrt(?:\b|_)|_trt\b",
    re.IGNORECASE,
)
"""How tests and functions speak of devices."""

_ON_CUDA = Pattern(
    r"""\.type\(\) *== *["']torch\.cuda\.|\bdevice\.type *== *["']cuda["']|\.is_cuda\b"""
)
"""A test where a tensor is."""

_HALF = Pattern(r"\b(?:float16|half|fp16)\b", re.IGNORECASE)
"""What is asked for on a GPU alone."""

_LIBRARIES = r"(?:import|from) +(?:tensorrt|torch2trt|torch_tensorrt|pycuda|cupy|flash_attn|apex)\b"
"""Imports of what is there for CUDA alone."""

_BOUND = Pattern(rf"^[ \t]+{_LIBRARIES}", re.MULTILINE)

_ONE_KIND = Pattern(
    r"\bnccl\b|\btriton\b|cuda\.set_device\(|cuda\.(?:Stream|Event|CUDAGraph)\b|cpp_extension"
    r"|\bDistributedSampler\b|\bget_world_size\b|\bDistributedDataParallel\b|\blocal_rank\b"
    rf"|(?i:\bcuda_?graphs?\b)|^{_LIBRARIES}",
    re.MULTILINE,
)
_GOES_BY_CHOICE = Pattern(
    r"\.to\((?!torch\.device\( *[fF]?[\"']cuda)"
    r"(?:[\w.]*\bdevice\b|[\w.]+_device\b|device=)|\bdevice *= *[\w.]*device\b"
    r"|\.cuda\([a-z]\w*(?:\.\w+)*\)"
)

_COMMENT = Pattern(r"^[ \t]*#.*$", re.MULTILINE)

_ASKS = Pattern(
    r"\b(?:cuda|mps|xpu|accelerator)\.(?:is_available|device_count|current_accelerator)\("
)
_ASKS_FOR_NONE = Pattern(
    r"\bis_available\(|[\"']cpu[\"']|\bdevice_count\(\) *(?:> *0|>= *1|[!=]= *0|:)"
)
"""What a file says that goes on where there is no GPU."""

_COUNTS = Pattern(r"\bcuda\.device_count\(|\bdevice_ids *=")
"""What a function is about that is for several GPUs."""

_KERNELS = Pattern(r"(?<![\w.])(?!(?:\w+_)?(?:use|is|has|to|no|with|on|try|move)_cuda\()\w+_cuda\(")
"""Calls of functions that say in their name that they are for CUDA."""

_KEPT_THERE = Pattern(r"(?:^|_)(?:cuda|gpu)(?:_|$)")
"""How a name says of a tensor that it is on a GPU, or of a flag that it is about that."""

_MISSED = Pattern(r"^$|\b(?:Base)?Exception\b|\bRuntimeError\b|\bAssertionError\b")
"""What handles the want of a device."""

_FOR_ITS_SAKE = Pattern(
    r"\bif +torch\.cuda\.is_available\(\)(?: *and [^\n:]*)?:\s*"
    r"torch\.cuda\.(?:manual_seed|synchronize|empty_cache|reset_)"
)
"""Asks for a device to seed it, wait for it or tidy it up; nothing is chosen by that."""

_FOR_A_TYPE = Pattern(r"\bis_available\(\) *and *torch\.cuda\.is_bf16_supported\(")
"""Asks for a device to choose a type for it."""

_TELLS = Pattern(r"\bprint\([^\n]*\bcuda\.(?:is_available|device_count)\(")
"""Asks for a device to tell of it."""

_INSISTS = Pattern(
    r"\bassert +torch\.cuda\.is_available\("
    r"|\bif +not +torch\.cuda\.is_available\(\):\s*(?:raise|sys\.exit|exit)\b"
    r"|^(?:if +__name__ *== *.__main__.:\s*)?torch\.set_default_tensor_type\( *[\"']?torch\.cuda\.",
    re.MULTILINE,
)
_HIDES = Pattern(
    r"""^os\.environ\[["']CUDA_VISIBLE_DEVICES["']\] *= *["'](?:-1)?["']""", re.MULTILINE
)
_WHICH = Pattern(
    r"""["']-{1,2}gpu["'], *(?![^()\n]*(?:-1|(?i:\bcpu\b)))[^()\n]*\bdefault *= *["']?\d"""
)
"""An option that says which of several GPUs it is to be."""

_OF_A_GPU = (
    *("get_device_name", "get_device_properties", "get_device_capability"),
    "current_device",
)
"""What raises where there is no GPU to tell of."""

_KIND = Pattern(r"cpu|gpu|cuda|device", re.IGNORECASE)
_TOLD_OF_IT = Pattern(
    rf"^[^\s#](?![^\n]*\bif\b)[^\n]*\bcuda\.(?:{'|'.join(_OF_A_GPU)})\(", re.MULTILINE
)
"""A line that tells of the GPU as soon as the file runs."""

_TOLD = Pattern(
    r"""["']-{1,2}(?:no[-_]?cuda|use[-_]?(?:cuda|gpu|cpu)|cuda|cpu|gpu|device)["']"""
    r"|\btorch\.device\((?! *[fF]?[\"'](?:cuda|cpu|meta))[^)]"
)
_EITHER_WAY = Pattern(
    r"""\bdevice\([ \n]*["']cuda(?::\d)?["'] if [^\n]+ else ["']cuda(?::\d)?["'][ \n]*\)"""
)
"""A choice among devices of one kind."""

_TAKES = Pattern(r"\bdef +\w+\((?:[^()]*[ (,])?(?:device|map_location)\b")
_SETS = Pattern(
    r"\bdevice *= *(?:torch\.device\()?[fF]?[\"']cuda(?::(?:\d|\{[^{}\n]*\}))?[\"']\)?"
    r"[ \t]*(?:$|#)",
    re.MULTILINE,
)
_GIVES = Pattern(
    r"^(?!.*(?:\bdef\b|\btorch\.[a-z]\w*\()).*"
    r"(?:[(,] *device *=|[\"']device[\"'] *:) *[\"']cuda(?::\d)?[\"']",
    re.MULTILINE,
)
"""A call, none of torch's, or a dict of options, in which a file chooses the device itself."""

_RANKS = Pattern(r"\binit_process_group\(|\blocal_rank\b|\bDistributedDataParallel\b")
_STARTS = Pattern(r"\b(?:multiprocessing|mp)\.(?:spawn|start_processes)\(")
_BESIDE = Pattern(r"\b__file__\b|\bimportlib\.resources\b|\bresource_filename\(")
_LINE = Pattern(r"[^\n]+")
_NARROW = Pattern(
    r"\.(?:half|bfloat16)\(\)|\btorch_dtype\b"
    r"|(?:\.to\((?:[^()\n]*, *)?|\bdtype *= *)torch\.(?:bfloat16|float16|half)\b"
)

_COMPUTED = Pattern(r"\btorch\.[a-z]\w*\(.*\)\.(?:half|bfloat16)\(\)")
"""A cast of what a function has computed, which is no model and seldom given to one."""

_FROM_CPU = r"torch\.save\(.*\.(?:cpu\(\)|to\([\"']cpu[\"']\))\.(?:module\.)?state_dict\(\)"
"""A line that moves a model to the CPU and saves its state."""


_CASTS = rf"^(?!.*autocast)(?!.*{_COMPUTED.pattern})"
_INPUT = r"[=,][ \t]*\w+\.(?:half|bfloat16)\(\)"
"""A cast of what has a name of its own and gets one again: an input, where autocast takes it."""

CASTS_MODULES = (
    rf"{_CASTS}(?!.*{_INPUT}).*(?:{_NARROW.pattern})"
    rf"|\A(?![\s\S]*\bautocast\b)[\s\S]*{_CASTS}.*(?:{_NARROW.pattern})"
)
"""A line that casts a module to such a type, or an input to the type that its module must have.

Under autocast a module takes inputs of other types than its own.
"""


@lru_cache(maxsize=16)
def chooses(text: str) -> bool:
    """Whether a file asks which devices there are, or is told which to use."""
    if _TOLD_OF_IT.search(text) or hides_devices(text):
        return False
    idle = sum(len(each.findall(text)) for each in (_INSISTS, _FOR_ITS_SAKE, _FOR_A_TYPE, _TELLS))
    counts = _only_counts(text) and _SETS.search(text) is not None
    if len(_ASKS.findall(text)) > idle and not counts:
        return True
    if _EITHER_WAY.search(text):
        return False
    if len(_TOLD.findall(text)) > len(_WHICH.findall(text)):
        return True
    return bool(_TAKES.search(text)) and not (_SETS.search(text) or _GIVES.search(text))


@lru_cache(maxsize=16)
def hides_devices(text: str) -> bool:
    """Whether a program begins by saying that there is no GPU for it."""
    return bool(_HIDES.search(text))


def _only_counts(text: str) -> bool:
    """Whether a file asks how many GPUs there are, and never whether there is any."""
    return "cuda.device_count(" in text and not _ASKS_FOR_NONE.search(text)


def is_distributed(region: Region) -> bool:
    """Whether some code runs in several processes, each with a device of its own.

    At the top level of a file that starts these itself is the one that they come from.
    """
    text = region.outline.said
    return _has_ranks(text) and bool(region.scope or not _STARTS.search(text))


@lru_cache(maxsize=16)
def _has_ranks(text: str) -> bool:
    return bool(_RANKS.search(_COMMENT.sub("", text)))


def saves_from_cpu(index: Index, outline: Outline, file: str) -> bool:
    """Whether each line of a project that saves something moves it to the CPU first.

    Or each of those that save to a file of this name, where there is any.
    """
    lines = ("", rf"(?=.*[\"'/]{re.escape(file)}[\"'])")
    return any(
        index.says(outline, "torch.save(", rf"^{line}.*{_FROM_CPU}")
        and not index.says(outline, "torch.save(", rf"^{line}(?!.*{_FROM_CPU}).*torch\.save\(")
        for line in (lines if file else lines[:1])
    )


def has_own_files(text: str) -> bool:
    """Whether some code makes a path from where it lies, as to files that come with it."""
    return bool(_BESIDE.search(text))


def is_narrow(text: str) -> bool:
    """Whether a file casts something to a floating point type of 16 bits, but by autocast."""
    lines = (found.group() for found in _LINE.finditer(text))
    return bool(_NARROW.search(text)) and any(
        _NARROW.search(line) and "autocast" not in line and not _COMPUTED.search(line)
        for line in lines
    )


def needs_cuda(text: str) -> bool:
    """Whether a file is of no use without CUDA, by what else it uses or asks for at its start.

    One that counts the GPUs, and never asks whether there is any, is for several of them.
    """
    return bool(_ONE_KIND.search(text) or _INSISTS.search(text)) or _only_counts(text)


def moves_by_choice(text: str) -> int:
    """How often a file moves something to a device that was chosen elsewhere."""
    return len(_GOES_BY_CHOICE.findall(_COMMENT.sub("", text)))


def speaks_of_devices(text: str) -> bool:
    """Whether a test, or the name of a function, is about devices."""
    return bool(_DEVICES.search(text))


def counts_devices(text: str) -> bool:
    """Whether a function is about several GPUs."""
    return bool(_COUNTS.search(text))


def calls_kernels(text: str) -> bool:
    """Whether a function calls what is for CUDA by its name, or imports what is for CUDA alone."""
    return bool(_KERNELS.search(text) or _BOUND.search(text))


def is_under_a_test(region: Region, node: ast.AST) -> bool:
    """Whether an ``if`` around something is about devices, or about what is for one kind alone."""
    return any(
        isinstance(outer, ast.If)
        and inner is not outer.test
        and speaks_of_devices(region.text_of(outer.test))
        for outer, inner in pairwise(around.path(region, node))
    )


def is_by_choice(region: Region, inner: ast.AST, outer: ast.AST) -> bool:
    """Whether a device was asked for or said, or a function counts how many there are."""
    if isinstance(outer, ast.FunctionDef) and counts_devices(region.text_of(outer)):
        return True
    return asks_for_device(region, inner, outer)


def asks_for_device(region: Region, inner: ast.AST, outer: ast.AST) -> bool:
    """Whether what ``outer`` holds as ``inner`` runs only once a device was asked for or said."""
    match outer:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            asked = region.text_of(test)
            if inner is not test and (speaks_of_devices(asked) or bool(_HALF.search(asked))):
                return True
            return isinstance(outer, ast.If) and any(
                _has_left(region, arm, inner) for arm in (outer.body, outer.orelse) if inner in arm
            )
        case ast.BoolOp(values=[first, *_]):
            return inner is not first and speaks_of_devices(region.text_of(first))
        case ast.Try(body=[only], handlers=handlers) if only is inner:
            caught = ["" if each.type is None else ast.unparse(each.type) for each in handlers]
            return any(map(_MISSED.search, caught))
        case ast.Call(args=given, keywords=named):
            beside = [*given, *(keyword.value for keyword in named)]
            return inner in given and any(map(_is_kept_there, beside))
        case ast.arguments():
            return True
        case ast.FunctionDef(name=name, decorator_list=decorators, body=body):
            said = [name, *map(region.text_of, decorators)]
            if any(map(speaks_of_devices, said)):
                return True
            return _has_left(region, body, inner) or calls_kernels(region.text_of(outer))
    return False


def _is_kept_there(node: ast.expr) -> bool:
    """Whether a name says of what it stands for that it is on a GPU."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return bool(_KEPT_THERE.search(name))
    return False


def needs_cuda_anyway(region: Region) -> bool:
    """Whether some code moves something to CUDA by name, or tells of a GPU, without a test."""
    return "cuda" in region.text and any(
        isinstance(node, ast.Call)
        and _is_for_cuda(node)
        and not any(
            asks_for_device(region, inner, outer) or _is_about_a_kind(region, outer)
            for outer, inner in pairwise(around.path(region, node))
        )
        for statement in region.statements
        for node in ast.walk(statement)
    )


def _is_about_a_kind(region: Region, outer: ast.AST) -> bool:
    """Whether something is an ``if`` on an option such as ``use_cpu``."""
    return isinstance(outer, ast.If) and bool(_KIND.search(region.text_of(outer.test)))


def _is_for_cuda(call: ast.Call) -> bool:
    match call:
        case ast.Call(func=ast.Attribute(attr="cuda"), args=[], keywords=[]):
            return True
        case ast.Call(func=ast.Attribute(attr="to"), args=[ast.Constant(value=str() as device)]):
            return device.startswith("cuda")
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _OF_A_GPU
    return False


def finds_cuda(region: Region, test: ast.expr) -> bool:
    """Whether a test holds only for what is on CUDA, itself or by what its names are set to."""
    said, text = [region.text_of(test)], region.text
    for node in ast.walk(test):
        if isinstance(node, ast.Name):
            said += re.findall(rf"^[ \t]*{node.id} *= *(\S.*)$", text, re.MULTILINE)
    return any(map(_ON_CUDA.search, said))


def insists_on_cuda(region: Region, function: ast.AST) -> bool:
    """Whether a function raises for what is not on CUDA."""
    for node in ast.walk(function):
        match node:
            case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=test), body=[*_, ast.Raise()]):
                pass
            case ast.Assert(test=test):
                pass
            case _:
                continue
        if finds_cuda(region, test):
            return True
    return False


def _has_left(region: Region, body: list[ast.stmt], inner: ast.AST) -> bool:
    """Whether who has no such device leaves the function before it comes there."""
    for statement in body:
        if statement is inner:
            return False
        match statement:
            case ast.If(test=test, body=[*_, ast.Return() | ast.Raise()]):
                if speaks_of_devices(region.text_of(test)):
                    return True
            case ast.Assert(test=test) if speaks_of_devices(region.text_of(test)):
                return True
    return False
