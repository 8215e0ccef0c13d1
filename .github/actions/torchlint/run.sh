#!/usr/bin/env bash
# Runs torchlint with the inputs of the action, each line of which is one argument.
set -euo pipefail

scripts=$RUNNER_TEMP/torchlint/bin
[ -d "$scripts" ] || scripts=$RUNNER_TEMP/torchlint/Scripts

arguments=()

add_lines() {
    local line
    while IFS= read -r line; do
        line=${line%$'\r'}
        [ -z "$line" ] || arguments+=("$line")
    done <<<"$1"
}

[ "$INPUT_ANNOTATIONS" != true ] || arguments+=(--output-format github)
[ "$INPUT_SUMMARY" != true ] || arguments+=(--output "markdown=$GITHUB_STEP_SUMMARY")
[ -z "$INPUT_SARIF" ] || arguments+=(--output "sarif=$INPUT_SARIF")
add_lines "$INPUT_ARGS"
arguments+=(--)
add_lines "$INPUT_PATHS"

cd "$INPUT_WORKING_DIRECTORY"
exec "$scripts/torchlint" "${arguments[@]}"
