# What every run.sh shares; it is sourced, with $1 the project's root.
#
#   language NAME FILE...  names the folder and the files its program is made of; afterwards $here holds them and $out is
#                          where the program is built
#   need COMMAND...        ends with status 77 where a command is missing
#   unreachable WHAT       ends with status 77 because a registry did not give what is needed
#   fresh                  true if $out was finished from these very files: nothing is to be done, and no network is needed
#   finished               says that it was
#   prefix WORD...         prints the command that runs the program, quoted for a shell
set -eu
root=$(cd "$1" && pwd)

language() {
  name=$1 here=$root/tests/golden/generators/$1 out=$root/build/generators/$1
  shift
  sources=$*
  mkdir -p "$out"
}

need() {
  for tool in "$@"; do
    command -v "$tool" > /dev/null || { echo "$name: $tool is not installed" >&2; exit 77; }
  done
}

unreachable() {
  echo "$name: $1 could not be fetched: $(grep -i -m 1 -E '^(\[?error|npm err)' "$out/log" || tail -n 1 "$out/log")" >&2
  exit 77
}

state() { (cd "$here" && cat -- run.sh $sources); }

fresh() { [ -f "$out/finished" ] && state | cmp -s - "$out/finished"; }

finished() { state > "$out/finished"; }

prefix() {
  line=
  for word in "$@"; do line="$line '$(printf %s "$word" | sed "s/'/'\\\\''/g")'"; done
  echo "${line# }"
}
