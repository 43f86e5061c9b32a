#!/bin/sh
# Installs the Node libraries: run.sh ROOT. See ../README.md.
. "$(dirname "$0")/../common.sh"
language node main.js package.json package-lock.json
need node npm
if ! fresh; then
  cp "$here/main.js" "$here/package.json" "$here/package-lock.json" "$out"
  (cd "$out" && npm ci --fetch-retries=1 --no-audit --no-fund --loglevel=error > log 2>&1) ||
    unreachable "the packages of package.json"
  finished
fi
prefix node "$out/main.js"
