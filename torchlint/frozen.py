"""Dataclasses of which nothing changes once they are made.

What is ``frozen`` is held by the type checker alone. ``dataclasses`` has each object hold it too,
which makes it six times as slow to build, and building objects is what the interpreter does most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:
    import dataclasses
    from functools import cache, partial
    from operator import attrgetter

    def dataclass(cls=None, /, *, frozen=False, eq=True, **options):
        """As ``dataclasses.dataclass``; frozen ones have a hash, and trust their users."""
        if cls is None:
            return partial(dataclass, frozen=frozen, eq=eq, **options)
        hashed = frozen and eq and "__hash__" not in vars(cls)
        return dataclasses.dataclass(cls, eq=eq, unsafe_hash=hashed, **options)

    def replace(record, /, **changes):
        """As ``dataclasses.replace``, for classes whose ``__init__`` takes all fields."""
        made = _copier(type(record))(record)
        for name, value in changes.items():
            object.__setattr__(made, name, value)  # What runs apart is frozen by ``dataclasses``.
        return made

    @cache
    def _copier(cls):
        """What makes a copy of an object of the class."""
        fields = dataclasses.fields(cls)
        names = [field.name for field in fields]
        if len(names) < 2 or any(field.kw_only for field in fields):
            return lambda record: cls(**{name: getattr(record, name) for name in names})
        values = attrgetter(*names)
        return lambda record: cls(*values(record))
