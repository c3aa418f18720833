#!/bin/bash
# tests/soak/kill.sh -- raddle killed at random moments: nothing that was executed or found before is lost, and nothing is left.
#   tests/soak/kill.sh <kills>          raddle is found on PATH
set -u
kills=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
room=$(mktemp -d "${TMPDIR:-/tmp}/raddle-kill.XXXXXX") || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
raddle cc -g -O1 -pthread "$top/tests/run/record/salvage/prog.c" -o prog || exit 1
"$top/tests/soak/killed.sh" "$kills" ./prog
