#!/bin/sh
# What would be published, used as a stranger would: the crate is packaged and unpacked, a new crate depends on it and runs its
# README. package_test.sh BUILD_DIR; needs no network once `cargo fetch` has run.
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
