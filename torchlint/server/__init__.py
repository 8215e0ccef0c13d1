"""The language server: what ``torchlint-server`` starts, for editors."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from torchlint import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Handlers = Iterator[tuple[str, Callable[..., Any]] | tuple[str, Callable[..., Any], Any]]
    """Methods of the protocol, what answers them, and options of that."""

USAGE = """\
Usage: torchlint-server

The language server of torchlint: it speaks with an editor, which starts it, over standard input
and output.

Options:
  --stdio    What it does anyway.
  --version  Show the version and exit.
  --help     Show this message and exit.
"""
MISSING = (
    "torchlint-server: it needs pygls, which is not installed; "
    "install it with: pip install 'torchlint[lsp]'\n"
)


def main() -> None:
    """Serve until the editor says that it is enough."""
    arguments = sys.argv[1:]
    unknown = [each for each in arguments if each not in ("--stdio", "--version", "--help", "-h")]
    if unknown:
        sys.stderr.write(f"{USAGE}\nError: there is no {unknown[0]}.\n")
        sys.exit(2)
    if "--help" in arguments or "-h" in arguments:
        sys.stdout.write(USAGE)
    elif "--version" in arguments:
        sys.stdout.write(f"torchlint-server {__version__}\n")
    else:
        _serve()


def _serve() -> None:
    try:
        from torchlint.server.serving import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        sys.stderr.write(MISSING)
        sys.exit(2)
    serve()
