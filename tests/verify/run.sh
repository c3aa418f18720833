#!/bin/bash
# tests/verify/run.sh -- all of tests/verify: recordings in a loop, then altered values, recorded and steered.   run.sh [<recordings>] [<alterations>]
set -u
here=$(cd "$(dirname "$0")" && pwd)
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
failed=0
"$here/loop.sh" "${1:-20}" "0 1 2 3" || failed=1
for name in locks atomics stacks memory; do
	raddle-cc -O1 -g -pthread "$here/src/$name.c" -o "$room/$name" && timeout 60 raddle record -o "$room/trace" -- "$room/$name" > /dev/null 2>&1 &&
		raddle show --text "$room/trace" > "$room/twin" || { echo "FAIL $name: no twin"; failed=1; continue; }
	"$here/mutate.sh" "$room/twin" "${2:-15}" 7 | sed "s/^/$name: /"
	[ "${PIPESTATUS[0]}" = 0 ] || failed=1
	timeout 60 raddle run --policy=random:1 --save-trace="$room/trace" -- "$room/$name" > /dev/null 2>&1
	raddle info --verify "$room/trace" > "$room/said" && raddle show --text "$room/trace" > "$room/twin" ||
		{ echo "FAIL $name: steered: $(tail -1 "$room/said")"; failed=1; continue; }
	[ $name = stacks ] && continue          # a steered run has no frames: of a stack nothing is certain
	"$here/mutate.sh" "$room/twin" "${2:-15}" 7 | sed "s/^/$name, steered: /"
	[ "${PIPESTATUS[0]}" = 0 ] || failed=1
done
exit $failed
