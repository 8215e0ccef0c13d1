"""The way to a cluster, and what is wrong with it."""

from __future__ import annotations

import platform
from contextlib import suppress
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING, Any, Self

from torchlint import __version__
from torchlint.cluster.crew import CrewOfCluster

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path
    from types import TracebackType

    from torchlint.analysis.encoding import UnitName
    from torchlint.analysis.shipping import Shipment
    from torchlint.cluster.experiments import Parcel, SandboxOfCluster
    from torchlint.settings import ConfirmSettings

_SECONDS = 10
"""So long is waited for a scheduler to answer."""


class ClusterError(Exception):
    """The cluster cannot be used; the message says why, and what to do."""


class Cluster:
    """The workers of a scheduler, by its address (``tcp://host:8786``), while it is entered."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> Self:
        try:
            import distributed
        except ImportError:
            raise ClusterError(
                "--cluster needs the package distributed: pip install 'torchlint[cluster]'"
            ) from None
        try:
            client: Any = distributed.Client
            self._client = client(self.address, timeout=_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise ClusterError(
                f"no scheduler answers at {self.address} ({_reason(error)}); "
                "start one by `dask scheduler`, or name the address that it prints"
            ) from None
        try:
            self._greet()
        except BaseException:
            self._client.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def _greet(self) -> None:
        """Make sure that there are workers, and that they have what this process has."""
        ours = (__version__, platform.python_version_tuple()[:2])
        asked = self._client.run(metadata.version, "torchlint", on_error="return")
        pythons = self._client.run(platform.python_version_tuple)
        if not asked:
            raise ClusterError(
                f"the scheduler at {self.address} has no workers; "
                f"start some by `dask worker {self.address}`"
            )
        for worker, version in asked.items():
            theirs = (version, pythons[worker][:2])
            if isinstance(version, Exception):
                raise ClusterError(f"the worker at {worker} has no torchlint: install {ours[0]}")
            if theirs != ours:
                raise ClusterError(
                    f"the worker at {worker} has {_named(*theirs)}, where this is {_named(*ours)}: "
                    "install the same"
                )

    def executor(self, **options: Any) -> Executor:
        """What takes calls as those of ``concurrent.futures`` do."""
        executor: Executor = self._client.get_executor(pure=False, **options)
        return executor

    def crew(self, shipment: Shipment, names: Sequence[UnitName]) -> CrewOfCluster:
        """Workers that do the units of these names, of a project that is sent to each of them."""
        sent = self._sent(shipment)
        return CrewOfCluster(self.executor(), sent, names, self._width)

    def sandbox(self, files: Mapping[Path, str], settings: ConfirmSettings) -> SandboxOfCluster:
        """Where experiments run on workers, each of which is sent these files."""
        from torchlint.cluster.experiments import SandboxOfCluster, packed
        from torchlint.confirm.sandbox import Sandbox

        sent = self._sent(packed(files, settings))
        here = partial(Sandbox, settings.python, settings.seconds, settings.jobs)
        return SandboxOfCluster(self.executor(), sent, self._width, here)

    def _sent(self, what: Shipment | Parcel) -> Any:
        """What all workers have got; None, of which they make nothing, if that comes to nothing.

        A worker that goes while it is sent something takes the others' with it.
        """
        for _ in range(2):
            with suppress(Exception):
                return self._client.scatter(what, broadcast=True, hash=False)
        return None

    def _width(self) -> int:
        """How many things are done at once; none where no scheduler answers any more."""
        try:
            asked = self._client.scheduler.ncores
            return sum(self._client.sync(asked, callback_timeout=_SECONDS).values())
        except Exception:
            return 0


def _named(torchlint: str, python: Sequence[str]) -> str:
    return f"torchlint {torchlint} with Python {'.'.join(python)}"


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0].strip(" .:") if str(error) else type(error).__name__
