#!/bin/sh
# Builds and tests the Go packages: check.sh [--prepare] [BUILD_DIR]; tests/languages/language.sh says what it takes.
# Status 0 passed, 1 failed, 77 skipped (with CI=true that is 1 too).
# Writes below BUILD_DIR (build/go of the project) and the caches of the go command.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/.." && pwd)
. "$project/tests/languages/language.sh"
language go "$@"

command -v go >/dev/null || skip "there is no go"
mkdir -p "$build/tmp"
export GOTMPDIR="$build/tmp" TMPDIR="$build/tmp" GOTOOLCHAIN="${GOTOOLCHAIN:-local}" GOWORK=off
cd "$here"

version=$(go env GOVERSION)
minor=${version#go1.}
minor=${minor%%[!0-9]*}
case $version in
go1.*) [ "${minor:-0}" -ge 23 ] || skip "$version is older than go1.23" ;;
esac

# Pinned by go.mod and go.sum; only the comparison with bits-and-blooms and its drop-in need any.
for module in . bench; do
  (cd "$module" && go mod download) >"$build/download.log" 2>&1 || skip "modules cannot be fetched: $(tail -n 1 "$build/download.log")"
done
{ [ "$(go env CGO_ENABLED)" = 1 ] && command -v "$(go env CC)" >/dev/null; } || skip "the race detector needs a C compiler"
prepared

unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { echo "go: not formatted: $unformatted"; exit 1; }
go vet ./...
go build -o "$build/kit" ./cmd/kit

# The go command caches results by the files of the module alone, and the tests read others: hence -count=1.
go test -count=1 ./...
go test -count=1 -tags seen_nommap -run 'AFile|AView|Page|Path|Keyed|Unsealed' . # systems without mmap
(cd bench && go vet ./... && go test -count=1 ./...)
go test -count=1 -race -run 'Goroutines|Concurrent|Racers|Beside|SeveralAtOnce|OneStep' . ./bloom ./phrozen/bloom
rm -rf "$build/tmp"
echo "go: passed"
