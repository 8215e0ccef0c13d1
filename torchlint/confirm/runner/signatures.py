"""Signatures and fields, with the annotations that can be told; the others are texts.

Since Python 3.14 annotations are worked out when they are asked for. They may speak of what only
type checkers import, and a class does not have them in its namespace.
"""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

if sys.version_info >= (3, 14):
    from annotationlib import Format, ForwardRef, get_annotations

    def signature_of(called: Callable[..., Any]) -> inspect.Signature:
        """The signature of a function or class."""
        found = inspect.signature(called, annotation_format=Format.FORWARDREF)
        parameters = found.parameters.values()
        told = [each.replace(annotation=_told(each.annotation)) for each in parameters]
        return found.replace(parameters=told)

    def fields_of(cls: type) -> Mapping[str, Any]:
        """What a class itself annotates."""
        found = get_annotations(cls, format=Format.FORWARDREF)
        return {name: _told(annotation) for name, annotation in found.items()}

    def _told(annotation: Any) -> Any:
        return annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation

else:

    def signature_of(called: Callable[..., Any]) -> inspect.Signature:
        """The signature of a function or class."""
        return inspect.signature(called)

    def fields_of(cls: type) -> Mapping[str, Any]:
        """What a class itself annotates."""
        found: Mapping[str, Any] = vars(cls).get("__annotations__", {})
        return found
