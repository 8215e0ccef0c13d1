"""Generate `history_torch.json`: the names that releases of torch gave up.

    python tools/generate_history.py FOLDER

`FOLDER` holds the sources of the releases, as `tools/unpack_releases.py` leaves them there:
`torch-2.6.0/torch/…`. They are read, never run. The table has one entry a name::

    "torch.symeig": {"removed": "2.0", "by": "refuses", "says": "…"}
    "torch.cuda.amp.autocast": {"deprecated": "2.4", "warns": "FutureWarning", "says": "…"}

"deprecated" and "removed" are the first of the releases read of which it is true; the oldest one
stands for all before it. A name that is "removed" is not there, or does nothing but raise ("by":
"refuses"). Where "warns" is missing, only the documentation says that it is deprecated.
What torch's compiled code says at run time cannot be read: `MEASURED` has what it warns of.
"""

import ast
import json
import re
import sys
from pathlib import Path

from static_names import (
    REFUSES,
    SILENT,
    WARNS,
    Definition,
    Deprecation,
    Module,
    Package,
    deprecation,
    documented,
    of_docs,
)

TABLES = Path(__file__).parent.parent / "torchlint" / "torch_api" / "tables"

PACKAGES = ("torch",)

LEFT_OUT = re.compile(
    r"(?:^|\.)_|^torch\.(?:testing|ao|quantization|package|onnx|contrib|fx|masked|nested|monitor|multiprocessing"
    r"|utils\.(?:benchmark|bottleneck|tensorboard|hipify|viz|model_dump|data\.datapipes|model_zoo"
    r"|bundled_inputs|throughput_benchmark|jit|backend_registration|mkldnn|mobile_optimizer"
    r"|show_pickle|collect_env|serialization)"
    r"|distributed\.(?!$|algorithms\.join|fsdp$|optim$)|distributions\.|jit\.|sparse\.|nn\.(?:intrinsic"
    r"|quantiz|qat|modules\.)|backends\.(?:_|xeon)|export\.|compiler\.|cuda\.(?!amp)|optim\.(?!lr_sch|swa))"
)
"""Modules whose names are left out: internals, and parts that have never been stable."""

MODULES = (
    "torch._six",
    "torch.distributed.deprecated",
    "torch.distributed.pipeline",
    "torch.utils.bottleneck",
    "torch.utils.ffi",
)
"""Modules that programs import, and that went as a whole."""

MEASURED = {
    "torch.cholesky": "UserWarning",
    "torch.qr": "UserWarning",
    "torch.lu_solve": "UserWarning",
    "torch.triangular_solve": "UserWarning",
    "torch.range": "UserWarning",
    "torch.lu": "UserWarning",
    "torch.chain_matmul": "UserWarning",
    "torch.nn.utils.weight_norm": "FutureWarning",
    "torch.set_default_tensor_type": "UserWarning",
    "torch.jit.script": "DeprecationWarning",
    "torch.jit.trace": "DeprecationWarning",
}
"""What compiled code, or code further below, warns of; `tests/test_history.py` runs them."""

_SPARSE = (
    "torch.sparse.SparseTensor(indices, values, shape, *, device=) is deprecated. Please use "
    "torch.sparse_coo_tensor(indices, values, shape, dtype=, device=)."
)
COMPILED = {
    f"torch.sparse.{kind}Tensor": {"deprecated": "2.1", "says": _SPARSE, "warns": "UserWarning"}
    for kind in ("Double", "Float")
}
"""What is neither in sources of Python nor in the stubs, and warns since when."""


def names(package: Package) -> tuple[dict[str, Definition], set[str], dict[str, Deprecation]]:
    """The public names of a release, all that can be read, and what is said of them."""
    public: dict[str, Definition] = {}
    accessible: set[str] = set()
    for name in package.paths:
        if LEFT_OUT.search(name) and name != "torch.package":
            continue
        module = package.module(name)
        if module is None:
            continue
        accessible.add(name)
        accessible |= {f"{name}.{a}" for a in module.accessible.keys() | module.foreign}
        for attribute, definition in module.public.items():
            if not _is_foreign(package, definition) and _is_offered(module, attribute, definition):
                public[f"{name}.{attribute}"] = definition
    public = _shortest(public)
    said = {name: found for name, node in public.items() if (found := deprecation(node.node))}
    if package.name == "torch":
        compiled = _compiled(package)
        public.update({name: node for name, node in compiled.items() if name not in public})
        accessible |= compiled.keys()
        said |= {n: found for n, node in compiled.items() if (found := deprecation(node.node))}
        for name, text in documented(package).items():
            found = of_docs(text)
            if found is not None and name in accessible and name not in said:
                said[name] = found
    said |= _of_methods(package, public)
    return public, accessible, said


def _is_offered(module: Module, name: str, definition: Definition) -> bool:
    """Whether a name is more than a variable that a module happens to have."""
    made = isinstance(definition.node, ast.FunctionDef | ast.ClassDef) or bool(
        deprecation(definition.node)
    )
    return not name.startswith("_") and (made or name in (module.exported or ()))


def _shortest(public: dict[str, Definition]) -> dict[str, Definition]:
    """Each definition by its shortest name, in the part of the package that defines it."""
    best: dict[object, tuple[bool, int]] = {}
    for name, definition in public.items():
        key = definition.node or name
        best[key] = min(best.get(key, (True, 99)), _rank(name, definition))
    return {
        name: definition
        for name, definition in public.items()
        if _rank(name, definition) == best[definition.node or name]
    }


def _rank(name: str, definition: Definition) -> tuple[bool, int]:
    namespace = name.rpartition(".")[0]
    return not f"{definition.module}.".startswith(f"{namespace}."), name.count(".")


def _is_foreign(package: Package, definition: Definition) -> bool:
    return definition.module.partition(".")[0] != package.name


def _compiled(package: Package) -> dict[str, Definition]:
    """The functions of torch and the methods of tensors that are written in C++."""
    found: dict[str, Definition] = {}
    functions = package.stub("_VariableFunctions")
    for node in functions.body if functions else []:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found[f"torch.{node.name}"] = Definition("torch", None)
    stub = package.stub("__init__")
    tensor = package.module("torch._tensor")
    holders = [node for node in (stub.body if stub else []) if isinstance(node, ast.ClassDef)]
    bases = [node for node in holders if node.name in {"_TensorBase", "TensorBase"}]
    own = tensor.bound["Tensor"].node if tensor is not None else None
    for cls in (*bases, own):
        for node in cls.body if isinstance(cls, ast.ClassDef) else []:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                written = Definition("torch._tensor", node if cls is own else None)
                found[f"torch.Tensor.{node.name}"] = written
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found[f"torch.Tensor.{node.target.id}"] = Definition("torch._tensor", None)
    return found


def _of_methods(package: Package, public: dict[str, Definition]) -> dict[str, Deprecation]:
    """The methods of public classes that are deprecated by a decorator or a warning."""
    found = {}
    for name, definition in public.items():
        node = definition.node
        for method in node.body if isinstance(node, ast.ClassDef) else []:
            if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                said = deprecation(method)
                if said is not None and said.how != SILENT:
                    found[f"{name}.{method.name}"] = said
    return found


def history(package: str, folder: Path) -> dict[str, dict[str, str]]:
    """What became of each name, release by release."""
    found: dict[str, dict[str, str]] = {}
    offered: set[str] = set()
    for release, path in releases(package, folder):
        sources = Package(path, package)
        public, accessible, said = names(sources)
        modules = sources.paths.keys() & MODULES
        offered |= modules
        accessible |= modules
        for name in sorted(offered - accessible):
            if name.rpartition(".")[0] in accessible or name.startswith("torch.Tensor."):
                found.setdefault(name, {}).setdefault("removed", release)
        for name in sorted(offered & accessible):
            if found.get(name, {}).get("by") != "refuses" and name in found:
                found[name].pop("removed", None)
        for name in [name for name in found if name not in said]:
            if "deprecated" in found[name] and "removed" not in found[name]:
                # Taken back, or a method of which it is not known when it went.
                del found[name]
        for name, deprecated in said.items():
            _note(found.setdefault(name, {}), release, deprecated, name)
        offered |= public.keys()
    return {name: entry for name, entry in found.items() if entry}


def _note(entry: dict[str, str], release: str, said: Deprecation, name: str) -> None:
    entry["says"] = " ".join(said.message.split())[:300]
    if said.how == REFUSES:
        entry.setdefault("removed", release)
        entry["by"] = "refuses"
        return
    entry.setdefault("deprecated", release)
    entry.pop("warns", None)
    if said.how == WARNS:
        entry["warns"] = said.category
    elif name in MEASURED:
        entry["warns"] = MEASURED[name]


def releases(package: str, folder: Path) -> list[tuple[str, Path]]:
    """The releases of a package that have been unpacked, in their order."""
    found = {}
    for path in folder.glob(f"{package}-*"):
        version = path.name.rpartition("-")[2]
        major, minor = version.split(".")[:2]
        found[int(major), int(minor)] = path
    return [(f"{major}.{minor}", path) for (major, minor), path in sorted(found.items())]


def main(arguments: list[str]) -> None:
    """Write the tables."""
    folder = Path(arguments[0])
    for package in PACKAGES:
        table = history(package, folder) | COMPILED
        lines = [
            f"{json.dumps(name)}:{json.dumps(entry, separators=(',', ':'), sort_keys=True)}"
            for name, entry in sorted(table.items())
        ]
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        (TABLES / f"history_{package}.json").write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
