"""Entry into the user's interpreter: run by path, for torchlint need not be installed there.

The package is imported under a name of its own, so that nothing of torchlint's can be taken for a
module of the user's, and the folder that Python put first on the path is taken off again.
"""

import importlib.util
import os
import sys

PACKAGE = "torchlint_runner"


def _enter() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or os.curdir) != here]
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location(
        PACKAGE, os.path.join(here, "__init__.py"), submodule_search_locations=[here]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)
    importlib.import_module(f"{PACKAGE}.server").main()


if __name__ == "__main__":
    _enter()
