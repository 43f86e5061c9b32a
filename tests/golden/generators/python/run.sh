#!/bin/sh
# Installs the Python libraries into a virtual environment: run.sh ROOT. See ../README.md.
. "$(dirname "$0")/../common.sh"
language python requirements.txt
need python3
if ! fresh; then
  rm -rf "$out/venv"
  python3 -m venv "$out/venv" > "$out/log" 2>&1 || unreachable "a virtual environment"
  "$out/venv/bin/pip" install --quiet --retries 1 --disable-pip-version-check -r "$here/requirements.txt" \
    > "$out/log" 2>&1 || unreachable "the packages of requirements.txt"
  finished
fi
prefix "$out/venv/bin/python" -B "$here/main.py"
