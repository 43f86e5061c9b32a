# What every check.sh shares; it is sourced. A check.sh has two forms:
#
#   check.sh [BUILD_DIR]             builds and tests the package
#   check.sh --prepare [BUILD_DIR]   only finds out whether that can be tried here, and fetches what it needs
#
#   language NAME "$@"  reads these arguments; $build is BUILD_DIR, made, or build/NAME of the project, $project. Where prepare.sh has
#                       found before that the language is to be skipped, this ends the script with status 77
#   skip REASON         ends with status 77 and a line that says why; with CI=true with status 1
#   prepared            ends a preparation here, with status 0

language() {
  name=$1
  shift
  preparing=
  if [ "${1:-}" = --prepare ]; then preparing=yes; shift; fi
  build=${1:-$project/build/$name}
  state=${SEEN_LANGUAGES:+$SEEN_LANGUAGES/$name}
  if [ -z "$preparing" ] && [ -n "$state" ] && grep -q '^skipped' "$state" 2> /dev/null; then
    cat "$state"
    exit 77
  fi
  mkdir -p "$build"
  build=$(CDPATH='' cd -- "$build" && pwd)
}

skip() {
  echo "skipped: $name: $1"
  if [ "${CI:-}" = true ]; then exit 1; fi
  exit 77
}

prepared() {
  if [ -n "$preparing" ]; then exit 0; fi
}
