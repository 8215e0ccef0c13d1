"""The JSON schema of a configuration, and the table of options for readers."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from torchlint.config.files import EXTEND
from torchlint.config.options import OPTIONS, Option
from torchlint.config.spelling import of_option

NAME = "schema.json"


def schema() -> dict[str, Any]:
    """What ``[tool.torchlint]`` or ``torchlint.toml`` may hold."""
    extend = {
        "description": "A configuration file that this one adds to and changes.",
        "type": "string",
    }
    described = {option.key: _described(option) for option in OPTIONS.values()}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://github.com/torchlint/torchlint/blob/main/torchlint/config/schema.json",
        "title": "Settings of torchlint",
        "type": "object",
        "properties": {EXTEND: extend, **described},
        "additionalProperties": False,
    }


def text() -> str:
    """The schema as the file in the package has it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def shipped() -> str:
    """The file in the package."""
    return files("torchlint.config").joinpath(NAME).read_text("utf-8")


def rows() -> list[str]:
    """A row of a Markdown table for each option: key, flag, default, purpose, example."""
    return [
        f"| `{option.key}` | {_flag(option)} | {_default(option)} | {option.text} "
        f"| `{_escaped(option.example)}` |"
        for option in OPTIONS.values()
    ]


def _described(option: Option) -> dict[str, Any]:
    return {"description": f"{option.text} Example: {option.example}", **option.kind.schema()}


def _flag(option: Option) -> str:
    return f"`{option.flag.partition('/')[0]}`" if option.flag else ""


def _default(option: Option) -> str:
    if option.unset:
        return option.unset
    if option.key == "exclude":
        return "folders of tools and environments"
    return f"`{_escaped(of_option(option, option.default))}`"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
