"""Handles of files, archives and databases, which one process can have and not hand on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import carried
from torchlint.interpreter.events.workers import Closed, Loaded, StartMethod, Unpicklable
from torchlint.interpreter.values import Const, Ref
from torchlint.torch_api.loader_arguments import settings
from torchlint.torch_api.registry import given, hear

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

_OPENED = {
    "builtins.open": "an open file",
    "io.open": "an open file",
    "gzip.open": "an open file",
    "bz2.open": "an open file",
    "lzma.open": "an open file",
    "tarfile.open": "an open archive",
    "tarfile.TarFile": "an open archive",
    "zipfile.ZipFile": "an open archive",
    "h5py.File": "an open HDF5 file",
    "tables.open_file": "an open HDF5 file",
    "netCDF4.Dataset": "an open file",
    "lmdb.open": "an LMDB environment",
    "lmdb.Environment": "an LMDB environment",
    "sqlite3.connect": "a connection to a database",
    "psycopg2.connect": "a connection to a database",
    "psycopg.connect": "a connection to a database",
    "pymysql.connect": "a connection to a database",
    "MySQLdb.connect": "a connection to a database",
    "pymongo.MongoClient": "a connection to a database",
    "cv2.VideoCapture": "an open video",
}


@given(*_OPENED)
def _opened(call: Call, value: Value) -> None:
    if isinstance(value, Ref):
        tested = any(activation.tests for activation in call.machine.activations)
        call.machine.emit(
            Unpicklable,
            call.spot,
            value=value.address,
            what=_OPENED[call.name],
            shared=True,
            sure=not tested and not call.machine.forks,
        )


@hear("opaque", "close", "release")
def _closed(call: Call) -> None:
    if isinstance(call.receiver, Ref):
        call.machine.emit(Closed, call.spot, value=call.receiver.address)


@hear("function", "torch.utils.data.DataLoader")
def _loaded(call: Call) -> None:
    """Note what goes along into workers, before anything is asked of the dataset."""
    told = settings(call)
    loads = (
        *carried.of(call.machine, told.get("dataset")),
        *carried.functions(call.machine, told),
    )
    if loads:
        call.machine.emit(Loaded, call.spot, loads=loads, settings=told)


@hear("function", "torch.multiprocessing.set_start_method", "multiprocessing.set_start_method")
def _started(call: Call) -> None:
    method = call.get("method", 0)
    known = isinstance(method, Const) and isinstance(method.value, str)
    call.machine.emit(StartMethod, call.spot, method=method.value if known else "")  # type: ignore[union-attr]
