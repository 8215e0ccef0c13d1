"""Dataclasses that cost little to define, and of which nothing changes once they are made.

What is ``frozen`` is held by the type checker alone. ``dataclasses`` has each object hold it too,
which makes it six times as slow to build, and building objects is what the interpreter does most.
It also compiles the methods of each class, which was half of what it took to start: here only a
constructor is compiled, when the first object is built, as many are of classes that a run needs
none of.
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
    from reprlib import recursive_repr

    def dataclass(cls=None, /, *, frozen=False, eq=True, order=False, **options):
        """As ``dataclasses.dataclass``; frozen ones have a hash, and trust their users.

        All fields are arguments, and nothing is called after them.
        """
        if cls is None:
            return partial(dataclass, frozen=frozen, eq=eq, order=order, **options)
        written = set(vars(cls))
        made = dataclasses.dataclass(cls, init=False, repr=False, eq=order, order=order, **options)
        methods = {"__init__": _first_init(made), "__repr__": _repr}
        if eq:
            values = _getter([field.name for field in dataclasses.fields(made) if field.compare])
            methods["__eq__"] = _eq(values)
            methods["__hash__"] = (lambda record: hash(values(record))) if frozen else None
        for name in methods.keys() - written:
            setattr(made, name, methods[name])
        return made

    def replace(record, /, **changes):
        """As ``dataclasses.replace``, for classes whose ``__init__`` takes all fields."""
        made = _copier(type(record))(record)
        for name, value in changes.items():
            object.__setattr__(made, name, value)  # What runs apart is frozen by ``dataclasses``.
        return made

    def _first_init(cls):
        """What builds the first object of a class: it compiles what builds the others."""

        def build(record, /, *args, **kwargs):
            cls.__init__ = _init(cls)
            cls.__init__(record, *args, **kwargs)

        return build

    def _init(cls):
        """The constructor that ``dataclasses`` would give the class."""
        scope, given, body = {"_absent": object()}, ["_self", "/"], ["pass"]
        for field in sorted(dataclasses.fields(cls), key=attrgetter("kw_only")):
            name, default = field.name, f"_default_{field.name}"
            parameter = value = name
            if field.kw_only and "*" not in given:
                given.append("*")
            if field.default is not dataclasses.MISSING:
                scope[default], parameter = field.default, f"{name}={default}"
            elif field.default_factory is not dataclasses.MISSING:
                scope[default], parameter = field.default_factory, f"{name}=_absent"
                value = f"{default}() if {name} is _absent else {name}"
            given.append(parameter)
            body.append(f"_self.{name} = {value}")
        exec(f"def __init__({', '.join(given)}):\n " + "\n ".join(body), scope)
        scope["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
        return scope["__init__"]

    @recursive_repr()
    def _repr(record):
        shown = [field.name for field in dataclasses.fields(record) if field.repr]
        values = ", ".join(f"{name}={getattr(record, name)!r}" for name in shown)
        return f"{type(record).__qualname__}({values})"

    def _eq(values):
        """Equality of what is of the same class; what is the same is equal, as in tuples."""

        def equals(record, other):
            if other.__class__ is not record.__class__:
                return NotImplemented
            ours, theirs = values(record), values(other)
            return ours is theirs or ours == theirs

        return equals

    def _getter(names):
        """What gets the values of fields: that of a single one as it is."""
        return attrgetter(*names) if names else lambda record: ()

    @cache
    def _copier(cls):
        """What makes a copy of an object of the class."""
        fields = dataclasses.fields(cls)
        names = [field.name for field in fields]
        if len(names) < 2 or any(field.kw_only for field in fields):
            return lambda record: cls(**{name: getattr(record, name) for name in names})
        values = attrgetter(*names)
        return lambda record: cls(*values(record))
