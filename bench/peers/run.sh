#!/bin/sh
# Builds and runs the peers in other languages on the keys of a folder; their records go to stdout, what is skipped and why
# to stderr. Usage: bench/peers/run.sh BUILD KEYS SIZE...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 keys=$2
shift 2
mkdir -p "$build"

skip() { echo "skipped: $1" >&2; }

if ! command -v go > /dev/null 2>&1; then skip "Go: no go command"
elif ! (cd "$here/go" && go build -o "$build/go_peers" .) 2> "$build/go.log"; then skip "Go: $(tail -n 1 "$build/go.log")"
else "$build/go_peers" "$keys" "$@"; fi
skip "Go's phrozen/bloom itself: its design is measured in its place (bench/peers/go/main.go)"

if ! command -v cargo > /dev/null 2>&1; then skip "Rust: no cargo command"
elif ! (cd "$here/rust" && cargo build --locked --quiet --release --target-dir "$build/rust") 2> "$build/rust.log"; then
  skip "Rust: $(tail -n 1 "$build/rust.log")"
else "$build/rust/release/peers" "$keys" "$@"; fi

if ! command -v python3 > /dev/null 2>&1; then skip "Python: no python3 command"
elif ! { [ -d "$build/python" ] || python3 -m venv "$build/python"; } > "$build/python.log" 2>&1 ||
     ! "$build/python/bin/pip" install --quiet -r "$here/python/requirements.txt" >> "$build/python.log" 2>&1; then
  skip "Python: $(tail -n 1 "$build/python.log")"
else "$build/python/bin/python" "$here/python/peers.py" "$keys" "$1"; fi
