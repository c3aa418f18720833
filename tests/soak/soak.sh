#!/bin/bash
# tests/soak/soak.sh -- records the examples again and again: right output, a trace that holds together, nothing lost.
#   tests/soak/soak.sh <runs>        Every tenth run goes through the flight recorder; raddle is found on PATH.
set -u
runs=$1
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
kept=${RADDLE_BUILD:-$root/build}
room=$(mktemp -d "${TMPDIR:-/tmp}/raddle-soak.XXXXXX") || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
passed=0 failed=0
fail() { echo "FAIL run $i of $name: $*"; failed=$((failed + 1)); cp run.trace "$kept/soak-fail-$failed.trace" && echo "its trace is $kept/soak-fail-$failed.trace"; }

for name in bank pipeline; do
	raddle-cc -O2 -pthread "$root/examples/$name.c" -o $name || exit 1
	want=$(./$name | head -1)               # the bank may lose count in a second line: that is its bug, not ours
	for i in $(seq 1 "$runs"); do
		last=; [ $((i % 10)) != 0 ] || last=--last=1M
		raddle record $last -- ./$name > out 2> said || { fail "exit $?"; continue; }
		got=$(head -1 out)
		[ "$got" = "$want" ] || { fail "it said '$got'"; continue; }
		grep -q '; lost' said && { fail "$(cat said)"; continue; }
		raddle info --verify > verified 2>&1 || { fail "$(tail -1 verified)"; continue; }
		passed=$((passed + 1))
	done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
