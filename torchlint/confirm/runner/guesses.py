"""Guesses at the values of arguments by what people call them."""

from __future__ import annotations

import re
from typing import Any

import torch

WIDTH = 16

# Expression on the lower-case name, value; the first that is found counts.
_EXPRESSIONS: tuple[tuple[str, Any], ...] = (
    (r"^(num_|n_?)?(class(es)?|labels)$|^n_cls$|^nclass$", 10),
    (r"vocab|ntoken|num_?emb|n_?tokens?$|num_?tokens|n_?words|dict_?size|num_(items|users)", 64),
    (r"(num|n)_?(attention_|attn_)?heads?$|^heads?$", 4),
    (r"^(spatial|n|num)_?dim(s|ensions)?$|^ndims?$", 2),
    (r"dim_?head|head_?dim|^d_[kqv]$", 8),
    (r"(num|n)_?(hidden_)?(layers?|blocks?|stages?|levels?)$|^depth$|^layers?$|repeats?$", 2),
    (r"max_?(seq_?)?len|seq_?len|block_?size|max_?pos|context|^length$|win(dow)?_size", 16),
    (r"(img|image|input)_?(size|res(olution)?)$|^resolution$|^(height|width|img_[hw])$", 32),
    (r"patch", 4),
    (r"stride|dilation|^groups?$|cardinality|expansion|upsample_factor|scale_factor", 1),
    (r"kernel|^ks?$|ksize|filter_size", 3),
    (r"pad(ding)?$", 1),
    (r"^axis$", 1),
    (r"drop|_prob$|^p$", 0.1),
    (r"eps$|epsilon", 1e-5),
    (r"momentum", 0.1),
    (r"ratio|upsample_(scale|rate)s?$|mult$|factor$|reduction|^r$|squeeze", 2),
    (r"^(alpha|beta|gamma|lambda_?|temperature|tau|temp|scale|margin|sigma|slope|lr)$", 0.5),
    (r"learning_rate|weight_decay|_scale$|_weight$|thresh", 0.5),
    (r"^(use|with|is|has|return|enable|do|add|apply|normalize|training)(_|$)", False),
    (r"batch_first|bidirectional|^bias$|affine|residual|bilinear|pretrained|causal|inplace", False),
    (r"downsample$|upsample$|shortcut|verbose", False),
    (r"batch", 2),
    (r"(num|n)_?(samples|examples|items)$|^(size|length|n|num)$|count", 8),
)
# Compiled once for all that is forked from here.
_BY_NAME = [(re.compile(expression), value) for expression, value in _EXPRESSIONS]

# Names of arguments that are sizes: any number of the kind serves as well as another.
_SIZE = re.compile(
    r"dim|hidden|channel|chan|plane|feature|feat|filter|embed|emb|d_model|width|size|units|^ch|"
    r"^n[fhz]|ngf|ndf|nhid|ninp|in_?c|out_?c|^(c|k|n|h|w|m|d)\d*$|inner|^ff|mlp|rank|^(in|out|inp)$"
)


def device_name() -> str:
    """Where a program would go that takes an accelerator if there is one, simulated or not."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def by_name(name: str) -> Any:
    """A value for an argument of that name; a width where nothing is known."""
    lower = name.lower()
    if "device" in lower:
        return device_name()
    for expression, value in _BY_NAME:
        if expression.search(lower):
            return value
    return WIDTH


def tells_size(name: str) -> bool:
    """Whether the name says that a number is wanted."""
    lower = name.lower()
    numeric = isinstance(by_name(lower), (int, float))
    known = any(expression.search(lower) for expression, _ in _BY_NAME)
    return bool(_SIZE.search(lower)) or (numeric and known)
