#!/bin/sh
# Builds and tests the Rust crate: check.sh [--prepare] [BUILD_DIR]; tests/languages/language.sh says what it takes.
# Status 0: passed, 1: failed, 77: cannot be tried here (with CI=true that is 1 too).
#
# Everything is written below the build folder (build/rust of the project) and to cargo's own caches.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
project=$(CDPATH='' cd -- "$here/.." && pwd)
. "$project/tests/languages/language.sh"
language rust "$@"
mkdir -p "$build/tmp"
cd "$here"
export CARGO_TARGET_DIR="$build" CARGO_TERM_QUIET=true TMPDIR="$build/tmp"

command -v cargo > /dev/null || skip "no cargo"
version=$(rustc --version | sed 's/^rustc 1\.\([0-9]*\).*/\1/')
[ "$version" -ge 65 ] || skip "the tests need Rust 1.65 or later; this is $(rustc --version)"
cargo fetch --locked > "$build/fetch.log" 2>&1 || skip "the crates cannot be fetched: $(tail -n 1 "$build/fetch.log")"
prepared

# Says what it does, and shows its output only where it fails.
step() {
    name=$1
    shift
    if "$@" > "$build/$name.log" 2>&1; then
        echo "rust: $name: ok"
    else
        cat "$build/$name.log"
        echo "rust: $name: failed: $*"
        exit 1
    fi
}

step test cargo test --locked --features serde
step no-std cargo check --locked --lib --no-default-features
step no-mmap cargo check --locked --lib --no-default-features --features std
# A target without a standard library and without 64-bit atomics, where it is installed.
bare=thumbv7em-none-eabi
if rustup target list --installed 2> /dev/null | grep -qx "$bare"; then
    step bare-metal cargo check --locked --lib --no-default-features --features serde --target "$bare"
else
    echo "rust: bare-metal: not tried: rustup target add $bare"
fi
# A part of the toolchain without which a step is left out, but not in continuous integration.
missing() {
    echo "rust: $1: not tried: it is not installed"
    if [ "${CI:-}" = true ]; then exit 1; fi
}

if cargo clippy --version > /dev/null 2>&1; then
    step clippy cargo clippy --locked --all-targets --features serde -- -D warnings
else
    missing clippy
fi

step package ./package_test.sh "$build"
step documents env RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --features serde
if cargo fmt --version > /dev/null 2>&1; then
    step format cargo fmt --check
else
    missing rustfmt
fi
