"""Claims about the states of modules."""

from __future__ import annotations

from ..claims import Raises

wrapped_state_dict = Raises(r"(?:Missing|Unexpected) key\(s\) in state_dict")
