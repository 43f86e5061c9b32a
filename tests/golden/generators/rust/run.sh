#!/bin/sh
# Builds the program of the Rust crates: run.sh ROOT. See ../README.md.
. "$(dirname "$0")/../common.sh"
language rust main.rs Cargo.toml Cargo.lock
need cargo cc
if ! fresh; then
  cd "$here"
  cargo fetch --quiet --locked > "$out/log" 2>&1 || unreachable "the crates of Cargo.toml"
  cargo build --quiet --release --locked --offline --target-dir "$out/target" >&2
  finished
fi
prefix "$out/target/release/peers"
