#!/usr/bin/env bash
# Installs the torchlint that this action came with, in an environment of its own.
set -euo pipefail

if ! "$INPUT_PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    printf '::error::torchlint needs Python 3.11 or newer; put actions/setup-python before it\n'
    exit 2
fi
environment=$RUNNER_TEMP/torchlint
"$INPUT_PYTHON" -m venv "$environment"
scripts=$environment/bin
[ -d "$scripts" ] || scripts=$environment/Scripts
"$scripts/python" -m pip install --quiet --disable-pip-version-check "$GITHUB_ACTION_PATH/../../.."
