#!/bin/bash
# tests/soak/folder.sh -- hunts and predicts side by side in one folder (ctest -j), round after round.
#   tests/soak/folder.sh <rounds>        Eight raddles a round, five hunts and three predicts; raddle is found on PATH.
# Held of each round: every finding names a schedule of its own, which is of the program that was called so, none is lost, none is empty; and
# schedules of earlier rounds are as they were.
set -u
rounds=$1
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
room=$(mktemp -d "${TMPDIR:-/tmp}/raddle-folder.XXXXXX") || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
passed=0 failed=0
raddle-cc -g -O1 -pthread "$root/tests/run/hunts/one-folder/prog.c" -o prog || exit 1
: > sums
for round in $(seq 1 "$rounds"); do
	for i in 1 2 3 4 5; do raddle hunt --runs=200 -- ./prog "who-$round-$i" > "out-$round-$i" 2>&1 & done
	for i in 6 7 8; do raddle predict -- ./prog "who-$round-$i" > "out-$round-$i" 2>&1 & done
	wait
	bad=
	: > names
	for i in 1 2 3 4 5 6 7 8; do
		out=out-$round-$i
		found=$(grep -o '[a-z]*-[0-9]*\.sched' "$out" | sort -u)
		[ "$found" ] || bad="$bad; $out names no schedule"
		for name in $found; do
			grep -qs "\"who-$round-$i\"" "$name" || bad="$bad; $name of $out is of another run, or gone"
			echo "$name" >> names
		done
	done
	[ -z "$(sort names | uniq -d)" ] || bad="$bad; named twice: $(sort names | uniq -d | tr '\n' ' ')"
	[ -z "$(find . -name '*.sched' -empty)" ] || bad="$bad; empty: $(find . -name '*.sched' -empty | head -1)"
	[ ! -s sums ] || sha256sum --quiet -c sums > changed 2>&1 || bad="$bad; $(head -1 changed)"
	sha256sum -- *.sched > sums
	if [ "$bad" ]; then failed=$((failed + 1)); echo "FAIL round $round${bad}"; else passed=$((passed + 1)); fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
