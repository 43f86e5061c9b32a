#!/bin/sh
# Builds the program of the Go libraries: run.sh ROOT. See ../README.md.
. "$(dirname "$0")/../common.sh"
language go main.go bloom.go boom.go cuckoo.go fuse.go go.mod go.sum
need go
if ! fresh; then
  cd "$here"
  go mod download > "$out/log" 2>&1 || unreachable "the modules of go.mod"
  go build -mod=readonly -o "$out/peers" . >&2
  finished
fi
prefix "$out/peers"
