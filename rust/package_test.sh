#!/bin/sh
# What would be published, used as a stranger would: the crate is packaged and unpacked, a new crate depends on it and runs its
# README, and is told of a mistake. package_test.sh BUILD_DIR; needs no network once `cargo fetch` has run.
set -eu
build=$1
cd "$(dirname -- "$0")"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
export CARGO_TARGET_DIR="$build" CARGO_NET_OFFLINE=true

cargo package --locked --allow-dirty --no-verify # the stranger compiles it
rm -rf "$build/stranger"
mkdir "$build/stranger"
tar -xzf "$build/package/seenfilter-$version.crate" -C "$build/stranger"
cargo new --quiet --vcs none --lib "$build/stranger/program"
cd "$build/stranger/program"
cargo add --quiet --path "../seenfilter-$version"
echo "#![doc = include_str!(\"../../seenfilter-$version/README.md\")]" > src/lib.rs
cargo test --doc

# A key that is none is explained, by compilers that can be told to.
mkdir examples
echo 'fn main() { seenfilter::HashFunction::default().digest(1.5); }' > examples/mistake.rs
if cargo check --example mistake > mistake.log 2>&1; then
    echo "a key that is none compiles"
    exit 1
fi
minor=$(rustc --version | sed 's/^rustc 1\.\([0-9]*\).*/\1/')
if [ "$minor" -ge 78 ] && ! grep -q 'a key is text, bytes or an integer, and `{float}` is none of them' mistake.log; then
    cat mistake.log
    exit 1
fi
