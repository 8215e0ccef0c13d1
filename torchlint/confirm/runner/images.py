"""TL616: transforms of torchvision that fail on whatever image they are given."""

from __future__ import annotations

import importlib
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from .experiments import describe
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable

    from .places import Project
    from .protocol import Job, Target

_TRIES = 30
_SIZE = 64


class Composed(Observer):
    """Tries what the flagged transform is put into, on images of each form."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project, self._target = project, target
        self._flagged: list[Any] = []
        self._seen: Observation | None = None
        self._missing = ""

    def watching(self) -> AbstractContextManager[Any]:
        """Transforms are noted as they are built, and tried when they are put together."""
        stack = ExitStack()
        try:
            home = importlib.import_module("torchvision.transforms")
        except Exception as error:
            self._missing = f"torchvision cannot be imported: {describe(error)}"
            return stack
        for name in home.transforms.__all__:
            cls = getattr(home, name)
            if isinstance(cls, type) and name != "Compose" and "__init__" in vars(cls):
                stack.enter_context(mock.patch.object(cls, "__init__", self._building(cls)))
        compose = home.Compose
        init = compose.__init__

        def composed(made: Any, transforms: Any, *args: Any, **options: Any) -> None:
            init(made, transforms, *args, **options)
            if any(one is known for one in made.transforms for known in self._flagged):
                self._seen = self._seen or _tried(made)

        stack.enter_context(mock.patch.object(compose, "__init__", composed))
        return stack

    def _building(self, cls: Any) -> Callable[..., None]:
        init = cls.__init__

        def built(made: Any, *args: Any, **options: Any) -> None:
            init(made, *args, **options)
            if self._project.is_at(self._target):
                self._flagged.append(made)

        return built

    def has_seen_enough(self) -> bool:
        """One trial tells."""
        return self._seen is not None

    def conclude(self, ended: bool) -> Observation:
        """What the trial said."""
        reason = self._missing or "the flagged transform was not put together with others"
        return self._seen or Observation(OPEN, reason=reason)


def _tried(compose: Any) -> Observation:
    """Shown where every form of an image is refused with a TypeError."""
    failures = [_failure(compose, image) for image in _images()]
    if all(failures):
        return Observation(
            SHOWN, evidence=f"images of PIL, arrays and tensors are refused: {failures[0]}"
        )
    if not failures[0] and not _takes_grey(compose):
        return Observation(OPEN, reason="it takes images of three channels, and none of one")
    if not failures[0]:
        return Observation(ABSENT, evidence=f"{_TRIES} times it takes an image of PIL")
    return Observation(OPEN, reason=f"some images are refused: {failures[0]}")


def _images() -> list[Any]:
    pixels = torch.randint(0, 256, (3, _SIZE, _SIZE), dtype=torch.uint8)
    array = pixels.permute(1, 2, 0).contiguous().numpy()
    image = importlib.import_module("PIL.Image").fromarray(array)
    return [image, array, pixels, pixels / 255]


def _takes_grey(compose: Any) -> bool:
    try:
        compose(importlib.import_module("PIL.Image").new("L", (_SIZE, _SIZE)))
    except Exception:
        return False
    return True


def _failure(compose: Any, image: Any) -> str:
    for _ in range(_TRIES):
        try:
            compose(image)
        except (TypeError, AttributeError) as error:
            return describe(error)
        except Exception:
            return ""
    return ""


def transform_order(job: Job) -> Observation:
    """TL616: what the flagged transform is part of fails on every image."""
    return investigate(job, Question(watch=lambda project, program: Composed(project, job.target)))
