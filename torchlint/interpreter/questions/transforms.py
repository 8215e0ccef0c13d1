"""Transforms of images: which of them cannot take what those before them give."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from torchlint.interpreter.events.transforms import Composed, OneChannel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.transforms import Step
    from torchlint.interpreter.trace import Trace


class Form(Enum):
    """What an image is when it comes to a transform."""

    IMAGE = "an image of PIL"
    FLOATS = "a tensor of floats"
    BYTES = "a tensor of integers"
    TENSOR = "a tensor"


_TENSORS = frozenset({Form.FLOATS, Form.BYTES, Form.TENSOR})
_FLOATS = frozenset({Form.FLOATS, Form.TENSOR})
_TAKES = {
    "Normalize": _FLOATS,
    "LinearTransformation": _FLOATS,
    "ConvertImageDtype": _TENSORS,
    "RandomErasing": _TENSORS,
    "ToTensor": frozenset({Form.IMAGE}),
    "PILToTensor": frozenset({Form.IMAGE}),
    "ToPILImage": _TENSORS,
    **dict.fromkeys(
        ("TrivialAugmentWide", "AugMix", "RandomPosterize", "RandomEqualize"),
        frozenset({Form.IMAGE, Form.BYTES, Form.TENSOR}),
    ),
}
_GIVES = {
    "ToTensor": Form.FLOATS,
    "PILToTensor": Form.BYTES,
    "ToPILImage": Form.IMAGE,
    "ConvertImageDtype": Form.TENSOR,
}
_TAKEN_FOR = {"Normalize": Form.FLOATS, "LinearTransformation": Form.FLOATS}


def misplaced(trace: Trace) -> Iterator[tuple[Step, Step, str]]:
    """Transforms that cannot be where they are, the others that say so, and what is wrong.

    Only the first version of the API refuses whatever comes; the second passes on what it does not
    know.
    """
    seen = set()
    for event in trace.of(Composed):
        found = None if event.lenient else _first(event.steps)
        if found is not None and found[0].spot not in seen:
            seen.add(found[0].spot)
            yield found


def _first(steps: tuple[Step | None, ...]) -> tuple[Step, Step, str] | None:
    """The first contradiction, in steps whose first input may be anything."""
    form: Form | None = None
    since: Step | None = None
    given = False
    for step in steps:
        if step is None or step.name in {"ToImage", "ToDtype"}:
            form, since = None, None
            continue
        takes = _TAKES.get(step.name)
        if form is not None and since is not None and takes is not None and form not in takes:
            if given:
                return step, since, f"cannot take {form.value}, which `{since.name}` has made"
            return since, step, f"takes {form.value}, and `{step.name}` comes only after it"
        if step.name in _GIVES:
            form, since, given = _GIVES[step.name], step, True
        elif form is None and takes is not None and takes <= _TENSORS:
            form, since, given = _TAKEN_FOR.get(step.name, Form.TENSOR), step, False
    return None


def of_more_channels(trace: Trace) -> Iterator[tuple[Step, OneChannel]]:
    """Means of several channels, and the dataset whose images have one when they come to them.

    The second version of the API makes several of the one.
    """
    composed = {event.transforms: event for event in trace.of(Composed) if not event.lenient}
    for dataset in trace.of(OneChannel):
        event = composed.get(dataset.transforms)
        channels: int | None = 1
        for step in event.steps if event is not None else ():
            if step is None or channels != 1:
                break
            if step.name == "Normalize" and step.channels is not None and step.channels > 1:
                yield step, dataset
                break
            if step.name == "Grayscale":
                channels = step.channels
