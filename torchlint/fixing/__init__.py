"""Fixing: edits of the source that mend what a check has found, or nothing where none is right."""

from torchlint.fixing.devices import follow_argument
from torchlint.fixing.losses import unwrap
from torchlint.fixing.memory import detach_added, detach_stored
from torchlint.fixing.modes import train_in_each_round
from torchlint.fixing.mutations import out_of_place
from torchlint.fixing.training import clear_before

__all__ = [
    "clear_before",
    "detach_added",
    "detach_stored",
    "follow_argument",
    "out_of_place",
    "train_in_each_round",
    "unwrap",
]
